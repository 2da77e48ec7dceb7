#include "session/sampled_events.h"

#include <algorithm>

#include "base/formatted.h"
#include "profile/event_view.h"

namespace hearth::session {
namespace {

bool uses_process_timer(const Options& options) {
  return options.cpu && options.engine == CpuEngine::kProcessTimer;
}

}  // namespace

std::vector<std::string> event_names(const Options& options) {
  std::vector<std::string> names;
  if (options.cpu) names.emplace_back("cpu");
  if (options.wall_interval_ns > 0) names.emplace_back("wall");
  if (options.allocation_interval) names.emplace_back(profile::kAllocEvent);
  if (options.lock_interval_ns) names.emplace_back(profile::kLockEvent);
  return names;
}

std::vector<std::string> common_events(const Options& one, const Options& other) {
  std::vector<std::string> common, others = event_names(other);
  for (std::string& name : event_names(one))
    if (std::find(others.begin(), others.end(), name) != others.end()) common.push_back(std::move(name));
  return common;
}

const char* missing_event(const Options& there, const Options& wanted) {
  if (wanted.cpu && !there.cpu) return "cpu";
  if (wanted.wall_interval_ns > 0 && there.wall_interval_ns == 0) return "wall";
  if (wanted.allocation_interval && !there.allocation_interval) return profile::kAllocEvent;
  if (wanted.lock_interval_ns && !there.lock_interval_ns) return profile::kLockEvent;
  return wanted.live && !there.live ? profile::kLiveEvent : nullptr;
}

const char* common_event(const Options& one, const Options& other) {
  if (one.cpu && other.cpu) return "cpu";
  bool one_is_wall = one.wall_interval_ns > 0, other_is_wall = other.wall_interval_ns > 0;
  if (one_is_wall && other_is_wall) return "wall";
  // The same signal.
  if ((uses_process_timer(one) && other_is_wall) || (one_is_wall && uses_process_timer(other))) return "itimer";
  if (one.lock_interval_ns && other.lock_interval_ns) return profile::kLockEvent;
  return one.allocation_interval && other.allocation_interval ? profile::kAllocEvent : nullptr;
}

const char* contended_event(const Options& one, const Options& other) {
  if ((uses_process_timer(one) && has_clock(other)) || (has_clock(one) && uses_process_timer(other))) return "itimer";
  if (one.lock_interval_ns && other.lock_interval_ns) return profile::kLockEvent;
  return one.allocation_interval && other.allocation_interval ? profile::kAllocEvent : nullptr;
}

std::string no_room_beside(std::string_view contended_event) {
  if (contended_event == "itimer") return "the clock of itimer and another do not run beside each other";
  return formatted("beside it there is no room for another of {}", contended_event);
}

bool is_as_fine(const Options& there, const Options& wanted) {
  if (wanted.cpu && there.cpu && there.interval_ns > wanted.interval_ns) return false;
  return wanted.wall_interval_ns == 0 || there.wall_interval_ns <= wanted.wall_interval_ns;
}

Options without_events_of(Options options, const Options& other) {
  bool other_is_wall = other.wall_interval_ns > 0, is_wall = options.wall_interval_ns > 0;
  if (uses_process_timer(options) && other_is_wall) options.cpu = false;  // the same signal
  if (other_is_wall || (is_wall && uses_process_timer(other))) options.wall_interval_ns = 0;
  if (other.cpu) options.cpu = false;
  if (other.allocation_interval) options.allocation_interval.reset();
  if (other.lock_interval_ns) options.lock_interval_ns.reset();
  if (!options.allocation_interval) options.live = false;
  return options;
}

Options without_event(Options options, std::string_view event) {
  if (event == "cpu") options.cpu = false;
  if (event == "wall") options.wall_interval_ns = 0;
  if (event == profile::kLockEvent) options.lock_interval_ns.reset();
  return event == profile::kAllocEvent ? without_allocations(std::move(options)) : options;
}

bool has_clock(const Options& options) {
  return options.cpu || options.wall_interval_ns > 0;
}

Options without_clocks(Options options) {
  options.cpu = false;
  options.wall_interval_ns = 0;
  return options;
}

Options without_allocations(Options options) {
  options.allocation_interval.reset();
  options.live = false;
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

bool samples_all(const Options& there) {
  return there.filter.accepts_all() && !has_breakpoints(there);
}

}  // namespace hearth::session
