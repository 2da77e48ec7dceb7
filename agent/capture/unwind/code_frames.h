// One step over a frame in the code cache, by the size its blob declares, without asking what method runs there. Where
// the frame is not built yet, no longer, or never (prologue, epilogue, stubs), by the shape of the code and of the
// words on the stack. Signal safe, given a FaultHandler.
#pragma once

#include "capture/unwind/code_cache.h"
#include "capture/unwind/registers.h"

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

// Where the call that ends at `pc` goes, when its target stands in the code as compiled code has it for stubs: E8
// rel32, or mov r10,imm64; call r10 (49 BA imm64 41 FF D2). 0 for other calls.
uintptr_t called_before(uintptr_t pc);

// Whether the instruction that ends at `pc` is a call: E8 rel32, FF /2 with a register, or with memory and 8 or 32 bit
// displacement.
bool behind_call(uintptr_t pc);

// Whether a word found on the stack can be the place where a frame in the code cache goes on.
bool may_return_to(const VmLayout& vm, uintptr_t pc);

// Whether a compiled method interrupted at `pc` has its frame not yet, or no longer.
bool frame_is_unbuilt(const CodeBlob& blob, uintptr_t pc);

// How many words an interrupted compiled method with its frame built has pushed below it: intrinsics (string compare)
// push one or two.
uintptr_t pushed_words(const VmLayout& vm, const CodeBlob& blob, const Registers& registers);

}  // namespace hearth::capture
