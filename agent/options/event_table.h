// The table of events: name, interval with its bounds, and how many sessions an event serves at a time. The options of
// events, and comparisons of the events of two sessions, read it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "options/event_set.h"
#include "options/options.h"

namespace hearth::options {

inline constexpr std::string_view kSamplingIntervals =
    "a whole number with ns, us, ms or s, from 100us to 1h; alone it is nanoseconds";
inline constexpr std::string_view kLockIntervals =
    "a whole number with ns, us, ms or s, up to 1h; alone it is nanoseconds";
inline constexpr std::string_view kAllocationIntervals = "0 to 1g bytes; k, m, g are 1024 each";

// How many sessions an event serves at a time.
enum class Serves {
  kMany,  // each session has a clock and a signal of its own
  kOne    // the JVM's hook has one user
};

struct EventRow {
  Event event;
  const char* name;  // as in event=NAME
  Serves serves;
  std::string_view unit;       // of the interval, as in profile::ValueType
  int64_t usual, least, most;  // intervals
  std::string_view accepts;    // the same in words
  bool has_option;             // of its own, named like the event
  const char* in_store;        // interval in an always-on store that names no events, as typed; "": not sampled there
  // Text about the interval after the name, where it is 0 and otherwise.
  std::string_view of_all;
  std::string_view before_interval = " every ", after_interval = "";
};

// One row for each event, in the order of Event.
const std::array<EventRow, kEventCount>& event_rows();
const EventRow& row_of(Event event);
// Null for another name. Engines of CPU time, as "ctimer", are no events.
const EventRow* event_row(std::string_view name);

// The interval at which a session samples an event; none: it does not.
std::optional<int64_t> interval_of(const Options& options, Event event);
void set_interval(Options* options, Event event, std::optional<int64_t> interval);
bool samples(const Options& options, Event event);

// Throws Error that names `option` and the values that it `accepts` for an interval out of the row's bounds.
int64_t parse_interval(const EventRow& row, std::string_view text, const OptionHelp& option);

}  // namespace hearth::options
