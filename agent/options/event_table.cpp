#include "options/event_table.h"

#include <algorithm>

#include "options/option_values.h"
#include "profile/model/event_view.h"

namespace hearth::options {
namespace {

constexpr int64_t kMicrosecond = 1'000, kMillisecond = 1'000'000, kHour = 3600LL * 1'000'000'000;
// Below it threads may get nothing done (events/cpu/cpu_perf_event.cpp).
constexpr int64_t kShortestClock = 100 * kMicrosecond;
constexpr int64_t kMostBytes = 1 << 30;  // the JVM counts in an int

// clang-format off
constexpr std::array<EventRow, kEventCount> kRows = {{
    {Event::kCpu, "cpu", Serves::kMany, Unit::kNanoseconds, 10 * kMillisecond, kShortestClock, kHour, kSamplingIntervals},
    {Event::kWall, "wall", Serves::kMany, Unit::kNanoseconds, 50 * kMillisecond, kShortestClock, kHour, kSamplingIntervals},
    {Event::kAlloc, profile::kAllocEvent, Serves::kOne, Unit::kBytes, 512 << 10, 0, kMostBytes, kAllocationIntervals},
    {Event::kLock, profile::kLockEvent, Serves::kOne, Unit::kNanoseconds, 10 * kMicrosecond, 0, kHour, kLockIntervals},
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
  switch (event) {
    case Event::kCpu:
      return options.cpu ? std::optional(options.interval_ns) : std::nullopt;
    case Event::kWall:
      return options.wall_interval_ns > 0 ? std::optional(options.wall_interval_ns) : std::nullopt;
    case Event::kAlloc:
      return options.allocation_interval;
    case Event::kLock:
      return options.lock_interval_ns;
  }
  return std::nullopt;
}

void set_interval(Options* options, Event event, std::optional<int64_t> interval) {
  switch (event) {
    case Event::kCpu:
      options->cpu = interval.has_value();
      if (interval) options->interval_ns = *interval;
      return;
    case Event::kWall:
      options->wall_interval_ns = interval.value_or(0);
      return;
    case Event::kAlloc:
      options->allocation_interval = interval;
      return;
    case Event::kLock:
      options->lock_interval_ns = interval;
      return;
  }
}

bool samples(const Options& options, Event event) {
  return interval_of(options, event).has_value();
}

int64_t parse_interval(const EventRow& row, std::string_view text, const OptionHelp& option) {
  int64_t interval = row.unit == Unit::kBytes ? parse_bytes(text, option) : parse_duration_ns(text, 1, option);
  if (interval < row.least || interval > row.most) refuse(option, text);
  return interval;
}

}  // namespace hearth::options
