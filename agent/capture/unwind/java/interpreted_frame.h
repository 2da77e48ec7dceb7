// What method an interpreter frame runs, and where in it. Signal safe, given a FaultHandler.
#pragma once

#include <ucontext.h>

#include "capture/unwind/java/code_frames.h"

namespace hearth::capture {

constexpr uintptr_t kMethodWord = static_cast<uintptr_t>(-3);  // of the Method*, from fp (cpu/x86/frame_x86.hpp)

struct InterpretedFrame {
  uint64_t method = 0;  // jmethodID; 0: not to be told
  int bci = 0;
};

// Whether the interpreter, interrupted at `at`, is on the way into a method whose frame is not made yet, and fp points
// at the caller's. The stack alone does not tell: on top of a complete frame there may be a return address too, of a
// call within the template, of the frame just left, or left over where a native's arguments go.
bool is_entering(const VmLayout& vm, const Registers& at, const ucontext_t* interrupted);

// `at` is in the interpreter; `interrupted` is looked into only for the frame that was.
InterpretedFrame read_interpreted_frame(const VmLayout& vm, const Registers& at, FramePlace place,
                                        const ucontext_t* interrupted);

}  // namespace hearth::capture
