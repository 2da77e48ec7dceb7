// Which methods run at a pc of an nmethod: the compiled method and what is inlined into it, read from the debug
// information that HotSpot keeps for deoptimization. Signal safe, given a FaultHandler.
#pragma once

#include "capture/frame.h"
#include "capture/unwind/java/code_cache.h"

namespace hearth::capture {

constexpr uint32_t kMaxScopes = 64;  // inlined into each other at one pc; HotSpot inlines 15 deep

enum class PcMatch {
  kReturnAddress,  // behind a call; calls of leaf stubs have no record, and are described by the next
  kInterrupted     // at an instruction
};

// Writes the frames of `pc`, innermost first, to `frames` (kMaxScopes of them) and returns how many; without a record
// for the pc the method alone, with an unknown bci. 0: what was read is no nmethod.
uint32_t decode_scopes(const VmLayout& vm, const CodeBlob& blob, uintptr_t pc, PcMatch match, Frame* frames);

// Whether a frame of this blob that returns to `pc` was deoptimized, and will not go on where it was.
bool is_deoptimized(const VmLayout& vm, const CodeBlob& blob, uintptr_t pc);

// The pc that a deoptimized frame had: its callee returns to the deoptimization handler instead. `sp`: the frame's.
uintptr_t pc_before_deoptimization(const VmLayout& vm, const CodeBlob& blob, uintptr_t pc, uintptr_t sp);

}  // namespace hearth::capture
