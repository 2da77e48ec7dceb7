// Breakpoints in the program's own code: what happens when a thread meets one.
#pragma once

#include <ucontext.h>

#include <cstdint>

#include "capture/arch/x86_64/first_instruction.h"
#include "capture/signal_safe.h"

namespace hearth::capture {

// What a breakpoint does, on the thread that met it, which stands before the instruction that the breakpoint is in the
// place of. Signal safe; on code that anybody may run it must call nothing outside of this library (first_instruction.h
// says why).
using TrapAction = SignalSafe<void(const ucontext_t* interrupted)>;

// For one ordinary thread at a time.

// Puts the handler of breakpoints on SIGTRAP, once for the life of the process: a thread may have met a breakpoint
// that is gone by the time it tells. Every other SIGTRAP goes to whoever was there before. False: somebody has put a
// handler over ours since; then breakpoints would be theirs.
bool take_breakpoints();

// From now on a breakpoint at `address`, in the place of `instruction`, does this; none: nothing. False: kMaxTraps
// different places have been used, and none can be forgotten.
bool set_trap(uintptr_t address, const FirstInstruction& instruction, TrapAction action);
constexpr int kMaxTraps = 64;

}  // namespace hearth::capture
