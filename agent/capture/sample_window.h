// The windows in which samples are recorded. Breakpoints open and close them; without any it is always open. There is
// one at a time in a process, as breakpoints belong to the process, too.
#pragma once

#include <cstdint>

#include "capture/faults/traps.h"

namespace hearth::capture {

// Signal safe.
bool window_is_open();
// Whether a sample of this time (CLOCK_MONOTONIC), which may have been interrupted since, belongs to a window, or to
// none where samples are always recorded.
bool window_has(uint64_t at_ns);

extern const TrapAction kOpenWindow;
extern const TrapAction kCloseWindow;

// Whether samples outside of windows are recorded as well.
enum class Outside : uint8_t { kLeftOut, kRecorded };

// One ordinary thread at a time may call these two.

// Breakpoints open and close windows from now on. `is_open`: one begins now.
void begin_windows(bool is_open, Outside outside);
// Ends the current window. Samples are always recorded from now on.
void end_windows();

// Returns how often a breakpoint has opened it since the process began.
uint64_t window_openings();

struct Window {
  int64_t began_ns;
  int64_t ended_ns;  // CLOCK_MONOTONIC
  int tid;           // of the thread that closed it
};
// The number of windows that were closed since the process began. Any thread.
uint64_t closed_windows();
// Reads the window with this number, from 1. False: it is not there yet, or no longer, as only the last ones are kept.
// Any thread.
bool read_window(uint64_t number, Window* window);
constexpr uint64_t kKeptWindows = 1024;

}  // namespace hearth::capture
