// What method an interpreter frame runs, and where in it. Signal safe, given a FaultHandler.
#pragma once

#include <ucontext.h>

#include "capture/unwind/code_frames.h"

namespace hearth::capture {

constexpr uintptr_t kMethodWord = static_cast<uintptr_t>(-3);  // of the Method*, from fp (cpu/x86/frame_x86.hpp)

struct InterpretedFrame {
  uint64_t method = 0;  // jmethodID; 0: not to be told
  int bci = 0;
};

inline bool in_interpreter(const VmLayout& vm, uintptr_t pc) {
  return pc >= vm.interpreter_begin && pc < vm.interpreter_end;
}

// `at` is in the interpreter; `interrupted` is looked into only for the frame that was.
InterpretedFrame read_interpreted_frame(const VmLayout& vm, const Registers& at, FramePlace place,
                                        const ucontext_t* interrupted);

}  // namespace hearth::capture
