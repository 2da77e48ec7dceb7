// The table of events: the name, the interval and its bounds, and how many sessions an event serves. The options of
// events, and the questions about two sessions' events, read it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "options/options.h"

namespace hearth::options {

inline constexpr std::string_view kSamplingIntervals =
    "a whole number with ns, us, ms or s, from 100us to 1h; alone it is nanoseconds";
inline constexpr std::string_view kLockIntervals =
    "a whole number with ns, us, ms or s, up to 1h; alone it is nanoseconds";
inline constexpr std::string_view kAllocationIntervals = "0 to 1g bytes; k, m, g are 1024 each";

// In the order in which a session lists them.
enum class Event : uint8_t { kCpu, kWall, kAlloc, kLock };
inline constexpr size_t kEventCount = 4;

// How many sessions an event serves at a time.
enum class Serves {
  kMany,  // each session has a clock and a signal of its own
  kOne    // the JVM's hook has one user
};

enum class Unit { kNanoseconds, kBytes };

struct EventRow {
  Event event;
  const char* name;  // as in event=NAME, and of an option of its own except for cpu
  Serves serves;
  Unit unit;                   // of the interval
  int64_t usual, least, most;  // intervals
  std::string_view accepts;    // the same in words
};

// One row an event, in the order of Event.
const std::array<EventRow, kEventCount>& event_rows();
const EventRow& row_of(Event event);
// Null for a name that is no event. Engines of CPU time, as "ctimer", are none.
const EventRow* event_row(std::string_view name);

// The interval at which a session samples an event; none: it does not.
std::optional<int64_t> interval_of(const Options& options, Event event);
void set_interval(Options* options, Event event, std::optional<int64_t> interval);
bool samples(const Options& options, Event event);

// Throws Error that names `option` and what it `accepts` for an interval out of the row's bounds.
int64_t parse_interval(const EventRow& row, std::string_view text, const OptionHelp& option);

}  // namespace hearth::options
