// The window in which samples are recorded. Breakpoints open and close it; without any it is always open. There is one
// in a process, as breakpoints belong to the process, too.
#pragma once

#include <cstdint>

#include "capture/faults/traps.h"

namespace hearth::capture {

// Signal safe.
bool window_is_open();

extern const TrapAction kOpenWindow;
extern const TrapAction kCloseWindow;

// One ordinary thread at a time may call these.

void set_window(bool open);
// Returns how often a breakpoint has opened it since the process began.
uint64_t window_openings();

}  // namespace hearth::capture
