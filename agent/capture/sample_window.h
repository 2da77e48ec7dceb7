// Samples are recorded only while the window is open. Breakpoints in the program's own code open and close it; without
// any it is always open. One window a process: breakpoints are the process's, too.
#pragma once

#include <cstdint>

#include "capture/first_instruction.h"

namespace hearth::capture {

enum class TrapEffect : uint8_t { kNone, kOpen, kClose };

// Signal safe.
bool window_is_open();

// The rest is for one ordinary thread at a time.

void set_window(bool open);
// How often a breakpoint has opened it since the process began.
uint64_t window_openings();

// Puts the handler of breakpoints on SIGTRAP, once for the life of the process: a thread may have met a breakpoint
// that is gone by the time it tells. Every other SIGTRAP goes to whoever was there before. False: somebody has put a
// handler over ours since; then breakpoints would be theirs.
bool take_breakpoints();

// From now on a breakpoint at `address`, in the place of `instruction`, has this effect. False: kMaxTraps different
// places have been used, and none can be forgotten.
bool set_trap(uintptr_t address, const FirstInstruction& instruction, TrapEffect effect);
constexpr int kMaxTraps = 64;

}  // namespace hearth::capture
