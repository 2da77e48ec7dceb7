// Asking a store: what it holds, a range of it as one profile, what it came to over time. Any process, also while the
// JVM writes or after it has ended.
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

// There is no file of the range that was asked for; it says what there is.
struct NothingStored : Error {
  using Error::Error;
};

// What a store holds, from its oldest file to its newest; none where it holds nothing. Throws Error for what is no
// store.
std::optional<TimeRange> held_range(const std::string& store);

// Called before each file is read; what it throws ends the reading, as nobody waits for it any more.
using BeforeFile = std::function<void()>;

// What one file holds. Throws FileError, profile::FormatError.
profile::Profile read_window(const std::string& store, const StoredWindow& window);

struct TimelinePoint {
  StoredWindow window;
  WindowFigures figures;
};
// As fine as there are files, in order of time; of more than `most` points neighbours are added up. Throws Error for
// what is no store, NothingStored.
std::vector<TimelinePoint> timeline(const std::string& store, const TimeRange& range, size_t most = SIZE_MAX,
                                    const BeforeFile& before_file = {});

// What of the spans of traces is wanted: there may be more than everything else together.
struct SpanWish {
  bool are_kept = true;                       // as labels; of so many samples as fit, of which a note tells
  bool are_asked = false;                     // for: the finest files are read, as hours and days have none
  std::vector<profile::LabelChoice> choices;  // nothing else is kept of what is read; none: all is
};
// Of who asks for these labels, and for groups by that one ("": by none). What is `kept` else.
SpanWish span_wish(const std::vector<profile::LabelChoice>& labels, const std::string& by, bool kept);

// Its samples have the time of the file that they are from. A file that cannot be read is left out, and a note says so.
// Throws Error for what is no store, NothingStored.
profile::Profile read_range(const std::string& store, const TimeRange& range, const SpanWish& spans = {},
                            const BeforeFile& before_file = {});

// "DIR@FROM..TO" and "DIR" alone, where DIR is a store.
struct StoreRange {
  std::string store;
  TimeRange range;
};
// None where `text` names no store. Throws Error for a time that is none.
std::optional<StoreRange> store_range(const std::string& text, int64_t now_ns);

}  // namespace hearth::store
