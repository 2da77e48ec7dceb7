// One step over a frame in the code cache, by the frame size of its blob; the method is not needed. Where the frame is
// not built yet, removed, or never built (prologue, epilogue, stubs), the step follows the form of the code and the
// words on the stack. Signal safe, if a FaultHandler is installed.
#pragma once

#include "capture/arch/registers.h"
#include "capture/unwind/java/code_cache.h"

namespace hearth::capture {

enum class CodeStep {
  kStepped,  // registers are the caller's, in the code cache again or in native code
  kEntry,    // the same, and the frame was the call stub: the natives that called into Java follow
  kFailed
};

enum class FramePlace {
  kInterrupted,  // by the signal, at any instruction
  kCaller        // in a call
};

// `blob` must be find_blob(registers->pc).
CodeStep step_code(const VmLayout& vm, const CodeBlob& blob, Registers* registers, FramePlace place);

// True if a word on the stack may be the return address of a frame in the code cache.
bool may_return_to(const VmLayout& vm, uintptr_t pc);

// Returns the number of words that an interrupted compiled method has pushed below its built frame: intrinsics (string
// compare) push one or two.
uintptr_t pushed_words(const VmLayout& vm, const CodeBlob& blob, const Registers& registers);

}  // namespace hearth::capture
