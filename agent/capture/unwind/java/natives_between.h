// Natives between Java frames: those that Java called and that called Java. Signal safe.
#pragma once

#include "capture/arch/registers.h"
#include "capture/unwind/native/native_frames.h"
#include "capture/unwind/stack_walk.h"

namespace hearth::capture {

class NativesBetween {
 public:
  // `caller`: the Java frame that called the natives, as the JVM's anchor has it.
  void begin(const Registers& caller) { caller_ = caller; }
  const Registers& caller() const { return caller_; }

  // Counts one more frame. False: there are too many to show.
  bool has_room() { return ++frames_ <= kMaxFramesBetween; }

  // Whether a step that led to `at` has failed, or passed the Java frame.
  bool missed(const VmLayout& vm, NativeStep step, const Registers& at) const {
    if (step == NativeStep::kFailed || step == NativeStep::kEndOfStack) return true;
    return at.sp > caller_.sp && !in_code_cache(vm, at.pc);
  }

 private:
  Registers caller_{};
  uint32_t frames_ = 0;
};

}  // namespace hearth::capture
