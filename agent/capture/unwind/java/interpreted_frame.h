// The method and the bytecode of an interpreter frame. Signal safe, if a FaultHandler is installed.
#pragma once

#include <ucontext.h>

#include "capture/unwind/java/code_frames.h"

namespace hearth::capture {

constexpr uintptr_t kMethodWord =
    static_cast<uintptr_t>(-3);  // of the Method*, from fp (frame_x86.hpp, frame_aarch64.hpp)

struct InterpretedFrame {
  uint64_t method = 0;  // jmethodID; 0: unknown
  int bci = 0;
};

// True if the interpreter, interrupted at `at`, is entering a method without a frame yet, and fp points at the
// caller's. The stack alone is ambiguous: a return address may also be on top of a complete frame, of a call within the
// template, of the frame just left, or left over in the space for a native's arguments.
bool is_entering(const VmLayout& vm, const Registers& at, const ucontext_t* interrupted);

// `at` is in the interpreter; `interrupted` is used only for the interrupted frame.
InterpretedFrame read_interpreted_frame(const VmLayout& vm, const Registers& at, FramePlace place,
                                        const ucontext_t* interrupted);

}  // namespace hearth::capture
