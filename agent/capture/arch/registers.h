// Registers that identify a frame in a walk. In Java frames sp is the unextended one.
#pragma once

#include "capture/arch/processor.h"

namespace hearth::capture {

// The caller of a frame that keeps its return address where the call left it; its sp is `caller_sp`.
inline Registers unsaved_caller(const Registers& at, uintptr_t caller_sp) {
  return {unsaved_return_address(at, caller_sp), caller_sp, at.fp};
}

// Whether a caller's sp can be `sp`, when that of the frame was `sp_before`. Only a frame that was interrupted before
// it saved its return address has the same one.
inline bool is_further_out(uintptr_t sp, uintptr_t sp_before, bool was_interrupted) {
  return sp > sp_before || (kReturnsByRegister && was_interrupted && sp == sp_before);
}

}  // namespace hearth::capture
