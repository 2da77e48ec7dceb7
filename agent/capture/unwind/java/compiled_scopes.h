// The methods at a pc of an nmethod: the compiled method and those inlined into it, from the debug information that
// HotSpot keeps for deoptimization. Signal safe, if a FaultHandler is installed.
#pragma once

#include "capture/frame.h"
#include "capture/unwind/java/code_cache.h"

namespace hearth::capture {

constexpr uint32_t kMaxScopes = 64;  // nested inlined methods at one pc; HotSpot inlines 15 deep

enum class PcMatch {
  kReturnAddress,  // after a call; calls of leaf stubs have no record, the next one describes them
  kInterrupted     // at an instruction
};

// Writes the frames of `pc`, innermost first, to `frames` (kMaxScopes of them) and returns their number. Without a
// record for the pc it writes only the method, with an unknown bci. Returns 0 if the memory is no nmethod.
uint32_t decode_scopes(const VmLayout& vm, const CodeBlob& blob, uintptr_t pc, PcMatch match, Frame* frames);

// True if a frame of this blob that returns to `pc` was deoptimized, and so will not continue there.
bool is_deoptimized(const VmLayout& vm, const CodeBlob& blob, uintptr_t pc);

// Returns the original pc of a deoptimized frame: its callee returns to the deoptimization handler instead. `sp`: the
// frame's.
uintptr_t pc_before_deoptimization(const VmLayout& vm, const CodeBlob& blob, uintptr_t pc, uintptr_t sp);

}  // namespace hearth::capture
