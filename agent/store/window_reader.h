// Asking a store: what it holds, a range of it as one profile, what it came to over time. Any process, also while the
// JVM writes or after it has ended.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "profile/profile.h"
#include "store/figures_file.h"
#include "store/time_range.h"
#include "store/window_files.h"

namespace hearth::store {

struct TimelinePoint {
  StoredWindow window;
  WindowFigures figures;
};
// In order of time. Throws Error for what is no store.
std::vector<TimelinePoint> timeline(const std::string& store, const TimeRange& range);

// Its samples have the time of the file that they are from. A file that cannot be read is left out, and a note says so.
// Throws Error for what is no store, and where it holds nothing of that range (it says what it holds).
profile::Profile read_range(const std::string& store, const TimeRange& range);

// "DIR@FROM..TO" and "DIR" alone, where DIR is a store.
struct StoreRange {
  std::string store;
  TimeRange range;
};
// None where `text` names no store. Throws Error for a time that is none.
std::optional<StoreRange> store_range(const std::string& text, int64_t now_ns);

}  // namespace hearth::store
