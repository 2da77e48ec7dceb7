// Samples are recorded only while the window is open. Breakpoints open and close it; without any it is always open. One
// window a process: breakpoints are the process's, too.
#pragma once

#include <cstdint>

#include "capture/faults/traps.h"

namespace hearth::capture {

// Signal safe.
bool window_is_open();

extern const TrapAction kOpenWindow;
extern const TrapAction kCloseWindow;

// The rest is for one ordinary thread at a time.

void set_window(bool open);
// How often a breakpoint has opened it since the process began.
uint64_t window_openings();

}  // namespace hearth::capture
