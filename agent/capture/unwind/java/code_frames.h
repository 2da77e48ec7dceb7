// One step over a frame in the code cache, by the size its blob declares, without asking what method runs there. Where
// the frame is not built yet, no longer, or never (prologue, epilogue, stubs), by the shape of the code and of the
// words on the stack. Signal safe, given a FaultHandler.
#pragma once

#include "capture/arch/registers.h"
#include "capture/unwind/java/code_cache.h"

namespace hearth::capture {

enum class CodeStep {
  kStepped,  // registers are the caller's, in the code cache again or in native code
  kEntry,    // the same, and the frame was the call stub: below are the natives that called into Java
  kFailed
};

enum class FramePlace {
  kInterrupted,  // by the signal, at any instruction
  kCaller        // in a call
};

// `blob` must be find_blob(registers->pc).
CodeStep step_code(const VmLayout& vm, const CodeBlob& blob, Registers* registers, FramePlace place);

// Whether a word found on the stack can be the place where a frame in the code cache goes on.
bool may_return_to(const VmLayout& vm, uintptr_t pc);

// How many words an interrupted compiled method with its frame built has pushed below it: intrinsics (string compare)
// push one or two.
uintptr_t pushed_words(const VmLayout& vm, const CodeBlob& blob, const Registers& registers);

}  // namespace hearth::capture
