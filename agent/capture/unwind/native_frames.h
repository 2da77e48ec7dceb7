// One step over a native frame, by DWARF rules or else by the frame pointer. Signal safe.
#pragma once

#include "capture/unwind/native_rules.h"
#include "capture/unwind/registers.h"
#include "capture/unwind/rule_cache.h"

namespace hearth::capture {

enum class NativeStep {
  kStepped,     // registers are the caller's now
  kEndOfStack,  // this frame is a thread's root
  kFailed       // no rule and no believable frame pointer
};

// The module that holds `pc`, or null.
const NativeModule* find_module(const NativeMap* map, uintptr_t pc);

// `is_return_address`: pc is where a call returns to, so the rule of the call before it counts.
// `cache` null walks by frame pointers alone (cstack=fp).
NativeStep step_native(const NativeMap* map, RuleCache* cache, Registers* registers, bool is_return_address);

}  // namespace hearth::capture
