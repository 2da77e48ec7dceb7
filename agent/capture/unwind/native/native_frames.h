// One step over a native frame, by unwind rules or by the frame pointer. Signal safe.
#pragma once

#include "capture/arch/registers.h"
#include "capture/unwind/native/native_rules.h"
#include "capture/unwind/native/rule_cache.h"

namespace hearth::capture {

enum class NativeStep {
  kStepped,     // registers are the caller's now
  kGuessed,     // the same, by the frame pointer of code that has no rule and may keep none: frames may be skipped
  kEndOfStack,  // this frame is a thread's root
  kFailed       // no rule and no believable frame pointer
};

enum class FramePointers : uint8_t {
  kGuess,    // taken where there is no rule, and not trusted
  kTrusted,  // the same, and trusted
  kFirst     // of a frame that is in a call: taken before rules. One that was interrupted may not have set its own
};

// How to step.
struct NativeCode {
  const NativeMap* map;
  RuleCache* rules;
  FramePointers frame_pointers = FramePointers::kGuess;
  uintptr_t last_java_sp = 0;  // of frames above Java frames: no frame pointer leads further out. 0: there are none
};

// The module that holds `pc`, or null.
const NativeModule* find_module(const NativeMap* map, uintptr_t pc);

// `is_return_address`: pc is where a call returns to, so the rule of the call before it counts.
NativeStep step_native(const NativeCode& code, Registers* registers, bool is_return_address);

}  // namespace hearth::capture
