// Selects the files for a time range, each part of it once.
#pragma once

#include <vector>

#include "store/time_range.h"
#include "store/window_files.h"

namespace hearth::store {

// Removes coarse files that contain fewer windows than other files do for their time: later windows came, since the
// clock was set back, and they are merged again when their time is over again.
std::vector<StoredWindow> without_outdated(std::vector<StoredWindow> windows);

// A window belongs to the range that contains its moment (StoredWindow::moment_ns), so neighbouring ranges share none.
// If a range contains no moment, because it is shorter than the windows there, it has the window with the largest
// overlap.

// Selects the coarsest files within the range, since one of them is read faster than its parts, and the finest files at
// the ends, where a coarse file is only partly within. In order of time.
std::vector<StoredWindow> cover(std::vector<StoredWindow> windows, const TimeRange& range);

// The finest files of the range, for queries of when something happened. In order of time.
std::vector<StoredWindow> finest(const std::vector<StoredWindow>& windows, const TimeRange& range);

}  // namespace hearth::store
