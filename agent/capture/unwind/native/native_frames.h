// One step over a native frame, by unwind rules or by the frame pointer. Signal safe.
#pragma once

#include "capture/arch/registers.h"
#include "capture/unwind/native/native_rules.h"
#include "capture/unwind/native/rule_cache.h"

namespace hearth::capture {

enum class NativeStep {
  kStepped,      // registers are the caller's now
  kInterrupted,  // the same, of code that a signal interrupted: its handler's frame was stepped over
  kGuessed,      // the same, by the frame pointer of code without a rule, which may have none: frames may be skipped
  kEndOfStack,   // this frame is a thread's root
  kFailed        // no rule and no plausible frame pointer
};

// Whether the frame's caller is known for certain.
constexpr bool has_stepped(NativeStep step) {
  return step == NativeStep::kStepped || step == NativeStep::kInterrupted;
}

enum class FramePointers : uint8_t {
  kGuess,    // used without a rule, and not trusted
  kTrusted,  // used without a rule, and trusted
  kFirst     // used before rules for a frame in a call; an interrupted one may not have set its own yet
};

// Sources of a step.
struct NativeCode {
  const NativeMap* map;
  RuleCache* rules;
  FramePointers frame_pointers = FramePointers::kGuess;
  uintptr_t last_java_sp = 0;  // bound of frames above Java frames: no frame pointer may exceed it. 0: none
};

// Returns the module that contains `pc`, or null.
const NativeModule* find_module(const NativeMap* map, uintptr_t pc);

// `is_return_address`: pc is after a call, and the rule of the call applies.
// `slot` becomes where the return address was read from; 0: not from memory, or of an interrupted frame.
NativeStep step_native(const NativeCode& code, Registers* registers, bool is_return_address, uintptr_t* slot = nullptr);

}  // namespace hearth::capture
