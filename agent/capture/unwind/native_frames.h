// One step over a native frame, by DWARF rules or else by the frame pointer. Signal safe.
#pragma once

#include "capture/unwind/native_rules.h"
#include "capture/unwind/registers.h"

namespace hearth::capture {

enum class NativeStep {
  kStepped,     // registers are the caller's now
  kEndOfStack,  // this frame is a thread's root
  kFailed       // no rule and no believable frame pointer
};

// The module that holds `pc`, or null.
const NativeModule* find_module(const NativeMap* map, uintptr_t pc);

// `is_return_address`: pc is where a call returns to, so the rule of the call before it counts.
// `use_dwarf` off walks by frame pointers alone (cstack=fp).
NativeStep step_native(const NativeMap* map, Registers* registers, bool is_return_address, bool use_dwarf);

}  // namespace hearth::capture
