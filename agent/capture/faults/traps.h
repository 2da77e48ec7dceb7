// Handler of SIGTRAP: actions of breakpoints in the program's own code.
#pragma once

#include <ucontext.h>

#include <cstdint>

#include "capture/arch/first_instruction.h"
#include "capture/signal_safe.h"

namespace hearth::capture {

// Action of a breakpoint, on the thread that met it, before the replaced instruction. Signal safe. It may call this
// library and the C library, in which no breakpoint is set; a breakpoint in the called code would end the process.
using TrapAction = SignalSafe<void(const ucontext_t* interrupted)>;

// One ordinary thread at a time may call these.

// Installs the handler of SIGTRAP, once for the life of the process: a thread may have met a breakpoint that is removed
// before its signal is delivered. Other SIGTRAPs go to the previous handler. False: another library has covered ours
// since, and would get the breakpoints.
bool take_breakpoints();

// Sets the action of a breakpoint at `address`, which replaces `instruction`; an empty action does nothing. False:
// kMaxTraps different addresses have been used, and no entry can be reused.
bool set_trap(uintptr_t address, const FirstInstruction& instruction, TrapAction action);
constexpr int kMaxTraps = 64;

}  // namespace hearth::capture
