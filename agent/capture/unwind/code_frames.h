// One step over a frame in the code cache, by the size its blob declares, without asking what method runs there. Where the frame is
// not built yet, no longer, or never (prologue, epilogue, stubs), by the shape of the code and of the words on the stack. Signal safe,
// given a FaultHandler.
#pragma once

#include "capture/unwind/code_cache.h"
#include "capture/unwind/registers.h"

namespace hearth::capture {

enum class CodeStep {
  kStepped,  // registers are the caller's, in the code cache again or in native code
  kEntry,    // the same, and the frame was the call stub: below are the natives that called into Java
  kFailed
};

// `blob` must be find_blob(registers->pc). `is_top`: the frame was interrupted there, it is not in a call.
CodeStep step_code(const VmLayout& vm, const CodeBlob& blob, Registers* registers, bool is_top);

}  // namespace hearth::capture
