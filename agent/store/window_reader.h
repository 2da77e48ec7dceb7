// Reads a store: its time range, a range as one profile, figures over time. Any process, also while the JVM writes or
// after it has ended.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "profile/model/label_choice.h"
#include "profile/model/profile.h"
#include "store/figures_file.h"
#include "store/time_range.h"
#include "store/window_files.h"

namespace hearth::store {

// No file of the requested range; the message has the existing range.
struct NothingStored : Error {
  using Error::Error;
};

// The time of a store, from its oldest file to its newest; empty if it has no files. Throws Error if it is not a store.
std::optional<TimeRange> held_range(const std::string& store);

// Called before each file is read; its exceptions end the reading, for example if nobody waits for it any more.
using BeforeFile = std::function<void()>;

// The profile of one file. Throws FileError, profile::FormatError.
profile::Profile read_window(const std::string& store, const StoredWindow& window);

struct TimelinePoint {
  StoredWindow window;
  WindowFigures figures;
};
// As fine as the files are, in order of time; if there are more than `most` points, neighbours are added up. Throws
// Error if it is not a store, NothingStored.
std::vector<TimelinePoint> timeline(const std::string& store, const TimeRange& range, size_t most = SIZE_MAX,
                                    const BeforeFile& before_file = {});

// Selects spans of traces: they may be more than everything else together.
struct SpanSelection {
  bool are_kept = true;                       // as labels, up to a limit of samples; then with a note
  bool are_asked = false;                     // the finest files are read, as hours and days have no spans
  std::vector<profile::LabelChoice> choices;  // only samples with these are kept; empty: all
};
// For a query of these labels and of groups by that one ("": none). `kept`: the default of are_kept.
SpanSelection span_selection(const std::vector<profile::LabelChoice>& labels, const std::string& by, bool kept);

// Samples have the time of their file. A file that cannot be read is left out, with a note. Throws Error if it is not a
// store, NothingStored.
profile::Profile read_range(const std::string& store, const TimeRange& range, const SpanSelection& spans = {},
                            const BeforeFile& before_file = {});

// "DIR@FROM..TO" or "DIR", where DIR is a store.
struct StoreRange {
  std::string store;
  TimeRange range;
};
// Empty if `text` names no store. Throws Error for an invalid time.
std::optional<StoreRange> store_range(const std::string& text, int64_t now_ns);

}  // namespace hearth::store
