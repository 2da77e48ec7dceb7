// Which files tell of a range of time, each part of it once.
#pragma once

#include <vector>

#include "store/time_range.h"
#include "store/window_files.h"

namespace hearth::store {

// Without the coarse files that tell of fewer windows than others do of their time: later ones came, as the clock was
// set back, and they are made again when their time is over once more.
std::vector<StoredWindow> without_outdated(std::vector<StoredWindow> windows);

// A window belongs to a range that has its moment (StoredWindow::moment_ns), so that neighbouring ranges share none. Of
// a range that has no moment, as it is shorter than the windows there, the window that it overlaps most is taken.

// Of what lies within the range the coarsest files, as one of them is read faster than what it was merged from; at its
// ends, where only a part of a file lies within, the finest. In order of time.
std::vector<StoredWindow> cover(std::vector<StoredWindow> windows, const TimeRange& range);

// The finest files that there are of the range, for who asks when something happened. In order of time.
std::vector<StoredWindow> finest(const std::vector<StoredWindow>& windows, const TimeRange& range);

}  // namespace hearth::store
