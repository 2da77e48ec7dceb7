#include "options/sampled_events.h"

#include <algorithm>

#include "base/formatted.h"
#include "options/event_table.h"
#include "profile/model/event_view.h"

namespace hearth::options {
namespace {

bool uses_process_timer(const Options& options) {
  return samples(options, Event::kCpu) && options.engine == CpuEngine::kProcessTimer;
}

// The first event of both that serves so many; null: there is none.
const char* shared_event(const Options& one, const Options& other, Serves serves) {
  for (const EventRow& row : event_rows())
    if (row.serves == serves && samples(one, row.event) && samples(other, row.event)) return row.name;
  return nullptr;
}

const CounterEvent* counter_of(const Options& options, std::string_view name) {
  const auto& counters = options.counters;
  auto found =
      std::find_if(counters.begin(), counters.end(), [name](const CounterEvent& one) { return one.name == name; });
  return found == counters.end() ? nullptr : &*found;
}

// The first counter of `one` that the other has, or has not; null: there is none.
const char* first_counter(const Options& one, const Options& other, bool has) {
  for (const CounterEvent& counter : one.counters)
    if ((counter_of(other, counter.name) != nullptr) == has) return counter.name.c_str();
  return nullptr;
}

void remove_counter(Options* options, std::string_view name) {
  auto& all = options->counters;
  all.erase(std::remove_if(all.begin(), all.end(), [name](const CounterEvent& one) { return one.name == name; }),
            all.end());
}

// The wall clock looks for them.
Options without_idle_holders(Options options) {
  if (!samples(options, Event::kWall)) set_interval(&options, Event::kHolders, std::nullopt);
  return options;
}

bool has_clock_besides_cpu(const Options& options) {
  const auto& rows = event_rows();
  return !options.counters.empty() || std::any_of(rows.begin(), rows.end(), [&](const EventRow& row) {
    return row.event != Event::kCpu && row.serves == Serves::kMany && samples(options, row.event);
  });
}

// CPU time by the process's timer and any other event with a signal need SIGPROF.
bool share_a_signal(const Options& one, const Options& other) {
  return (uses_process_timer(one) && has_clock_besides_cpu(other)) ||
         (has_clock_besides_cpu(one) && uses_process_timer(other));
}

}  // namespace

std::vector<std::string> event_names(const Options& options) {
  std::vector<std::string> names;
  for (const EventRow& row : event_rows())
    if (samples(options, row.event)) names.emplace_back(row.name);
  for (const CounterEvent& counter : options.counters) names.push_back(counter.name);
  return names;
}

std::vector<const char*> live_events(const Options& options) {
  std::vector<const char*> events;
  if (options.live) events.push_back(profile::kLiveEvent);
  if (samples(options, Event::kNativeMemory) && !options.nofree) events.push_back(profile::kNativeLiveEvent);
  return events;
}

std::vector<std::string> common_events(const Options& one, const Options& other) {
  std::vector<std::string> common, others = event_names(other);
  for (std::string& name : event_names(one))
    if (std::find(others.begin(), others.end(), name) != others.end()) common.push_back(std::move(name));
  return common;
}

const char* missing_event(const Options& there, const Options& wanted) {
  for (const EventRow& row : event_rows())
    if (samples(wanted, row.event) && !samples(there, row.event)) return row.name;
  if (const char* counter = first_counter(wanted, there, false)) return counter;
  return wanted.live && !there.live ? profile::kLiveEvent : nullptr;
}

const char* common_event(const Options& one, const Options& other) {
  if (const char* clock = shared_event(one, other, Serves::kMany)) return clock;
  if (const char* counter = first_counter(one, other, true)) return counter;
  return share_a_signal(one, other) ? "itimer" : shared_event(one, other, Serves::kOne);
}

const char* contended_event(const Options& one, const Options& other) {
  if ((uses_process_timer(one) && has_clock(other)) || (has_clock(one) && uses_process_timer(other))) return "itimer";
  return shared_event(one, other, Serves::kOne);
}

std::string no_room_beside(std::string_view contended_event) {
  if (contended_event == "itimer") return "itimer and another clock cannot run at the same time";
  return formatted("a second session of {} cannot run with it", contended_event);
}

bool is_as_fine(const Options& there, const Options& wanted) {
  for (const EventRow& row : event_rows()) {
    std::optional<int64_t> has = interval_of(there, row.event), needs = interval_of(wanted, row.event);
    if (row.serves == Serves::kMany && has && needs && *has > *needs) return false;
  }
  for (const CounterEvent& needed : wanted.counters) {
    const CounterEvent* has = counter_of(there, needed.name);
    if (has != nullptr && has->interval > needed.interval) return false;
  }
  return true;
}

Options without_events_of(Options options, const Options& other) {
  bool loses_signal = uses_process_timer(options) && has_clock_besides_cpu(other);
  if (loses_signal) set_interval(&options, Event::kCpu, std::nullopt);
  for (const EventRow& row : event_rows())
    if (samples(other, row.event) || (row.serves == Serves::kMany && uses_process_timer(other)))
      set_interval(&options, row.event, std::nullopt);
  for (const CounterEvent& counter : other.counters) remove_counter(&options, counter.name);
  if (uses_process_timer(other)) options.counters.clear();
  if (!samples(options, Event::kAlloc)) options.live = false;
  return without_idle_holders(std::move(options));
}

Options without_event(Options options, std::string_view event) {
  if (event == profile::kAllocEvent) return without_allocations(std::move(options));
  if (const EventRow* row = event_row(event)) set_interval(&options, row->event, std::nullopt);
  remove_counter(&options, event);
  return without_idle_holders(std::move(options));
}

bool needs_perf_events(const Options& options) {
  return options.target_cpu.has_value() || options.record_cpu;
}

bool has_clock(const Options& options) {
  return samples(options, Event::kCpu) || has_clock_besides_cpu(options);
}

Options without_clocks(Options options) {
  for (const EventRow& row : event_rows())
    if (row.serves == Serves::kMany) set_interval(&options, row.event, std::nullopt);
  options.counters.clear();
  return without_idle_holders(std::move(options));
}

Options without_allocations(Options options) {
  set_interval(&options, Event::kAlloc, std::nullopt);
  options.live = false;
  return options;
}

Options with_longer_intervals(Options options, int64_t times) {
  for (const EventRow& row : event_rows()) {
    std::optional<int64_t> interval = interval_of(options, row.event);
    if (!interval) continue;
    set_interval(&options, row.event, std::min(*interval * times, row.most));
  }
  for (CounterEvent& counter : options.counters)
    counter.interval = std::min(counter.interval * times, kLongestCounterInterval);
  return options;
}

Options without_contended_events(Options options, const Options& other) {
  Options hooks = other;
  if (!uses_process_timer(other) && !uses_process_timer(options)) hooks = without_clocks(other);
  return without_events_of(std::move(options), hooks);
}

bool samples_nothing(const Options& options) {
  return event_names(options).empty();
}

bool has_breakpoints(const Options& options) {
  return !options.begin.empty() || !options.end.empty();
}

bool samples_windows_only(const Options& options) {
  return !options.nostop && has_breakpoints(options);
}

bool samples_all(const Options& there) {
  return there.filter.accepts_all() && !there.target_cpu && !there.user_code_only && !samples_windows_only(there);
}

}  // namespace hearth::options
