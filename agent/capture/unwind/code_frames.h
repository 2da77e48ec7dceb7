// One step over a frame in the code cache, by the size its blob declares, without asking what method runs there. Where the frame is
// not built yet, no longer, or never (prologue, epilogue, stubs), by the shape of the code and of the words on the stack. Signal safe,
// given a FaultHandler.
#pragma once

#include "capture/unwind/code_cache.h"
#include "capture/unwind/registers.h"

namespace hearth::capture {

// The most words that compiled code is known to push outside its declared frame.
inline constexpr uintptr_t kMostPushedWords = 2;

enum class CodeStep {
  kStepped,  // registers are the caller's, in the code cache again or in native code
  kEntry,    // the same, and the frame was the call stub: below are the natives that called into Java
  kFailed
};

// How a frame came to be where it is: decides what may be on its stack.
enum class FramePlace {
  kInterrupted,  // by the signal, at any instruction
  kBehindStub,   // it called a stub, and may have pushed words for it (C1's slow_subtype_check takes two)
  kCaller        // in an ordinary call
};

// `blob` must be find_blob(registers->pc).
CodeStep step_code(const VmLayout& vm, const CodeBlob& blob, Registers* registers, FramePlace place);

}  // namespace hearth::capture
