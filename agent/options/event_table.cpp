#include "options/event_table.h"

#include <algorithm>

#include "options/option_values.h"
#include "profile/model/event_view.h"

namespace hearth::options {
namespace {

constexpr int64_t kMicrosecond = 1'000, kMillisecond = 1'000'000, kHour = 3600LL * 1'000'000'000;
// At shorter ones threads may make no progress (events/cpu/cpu_perf_event.cpp).
constexpr int64_t kShortestClock = 100 * kMicrosecond;
constexpr int64_t kMostBytes = 1 << 30;  // the JVM counts in an int

// Stores sample rarely: a window of a busy CPU has 3,000 samples.
// clang-format off
constexpr std::array<EventRow, kEventCount> kRows = {{
    {Event::kCpu, "cpu", Serves::kMany, "nanoseconds", 10 * kMillisecond, kShortestClock, kHour, kSamplingIntervals, false, "20ms", ""},
    {Event::kWall, "wall", Serves::kMany, "nanoseconds", 50 * kMillisecond, kShortestClock, kHour, kSamplingIntervals, true, "500ms", ""},
    {Event::kAlloc, profile::kAllocEvent, Serves::kOne, "bytes", 512 << 10, 0, kMostBytes, kAllocationIntervals, true, "2m", " of every object"},
    {Event::kLock, profile::kLockEvent, Serves::kOne, "nanoseconds", 10 * kMicrosecond, 0, kHour, kLockIntervals, true, "", ", every wait", ", waits of less than ", " sampled"},
}};
// clang-format on

}  // namespace

const std::array<EventRow, kEventCount>& event_rows() {
  return kRows;
}

const EventRow& row_of(Event event) {
  return kRows[static_cast<size_t>(event)];
}

const EventRow* event_row(std::string_view name) {
  const auto* row = std::find_if(kRows.begin(), kRows.end(), [name](const EventRow& one) { return one.name == name; });
  return row == kRows.end() ? nullptr : row;
}

std::optional<int64_t> interval_of(const Options& options, Event event) {
  return options.events.intervals_[event];
}

void set_interval(Options* options, Event event, std::optional<int64_t> interval) {
  options->events.intervals_[event] = interval;
}

bool samples(const Options& options, Event event) {
  return interval_of(options, event).has_value();
}

int64_t parse_interval(const EventRow& row, std::string_view text, const OptionHelp& option) {
  int64_t interval = row.unit == "bytes" ? parse_bytes(text, option) : parse_duration_ns(text, 1, option);
  if (interval < row.least || interval > row.most) refuse(option, text);
  return interval;
}

}  // namespace hearth::options
