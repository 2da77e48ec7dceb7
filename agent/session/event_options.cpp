#include "session/event_options.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/error.h"
#include "base/formatted.h"
#include "profile/event_view.h"
#include "session/option_values.h"

namespace hearth::session {
namespace {

constexpr std::string_view kWall = "wall";
constexpr std::string_view kAlloc = profile::kAllocEvent;
constexpr std::string_view kLive = profile::kLiveEvent;
constexpr std::string_view kLock = profile::kLockEvent;
constexpr int64_t kLongestInterval = 3600LL * 1'000'000'000;
constexpr OptionHelp kInterval = {"interval", kIntervals};

int64_t duration_within(std::string_view text, int64_t shortest, const OptionHelp& option) {
  int64_t duration = parse_duration_ns(text, 1, option);
  if (duration < shortest || duration > kLongestInterval) refuse(option, text);
  return duration;
}

// Of CPU and of wall.
int64_t sampling_interval(std::string_view text, const OptionHelp& option) {
  constexpr int64_t kShortest = 100'000;  // below it threads may get nothing done (events/cpu_perf_event.cpp)
  return duration_within(text, kShortest, option);
}

int64_t allocation_interval(std::string_view text, const OptionHelp& option) {
  constexpr int64_t kMost = 1 << 30;  // the JVM counts in an int
  int64_t bytes = parse_bytes(text, option);
  if (bytes > kMost) refuse(option, text);
  return bytes;
}

int64_t lock_interval(std::string_view text, const OptionHelp& option) {
  return duration_within(text, 0, option);
}

[[noreturn]] void refuse_two(std::string_view event) {
  throw Error(formatted("two intervals of {} were given", event), formatted("give it by {}= or by interval=", event));
}

// The later one would count, and nobody be told.
void say_once(std::string* said, std::string_view value, const OptionHelp& option) {
  if (value.empty()) return;
  if (!said->empty() && *said != value)
    throw Error(formatted("option {}: {} and {} were given", option.name, *said, value), "give one of them");
  *said = value;
}

// Events that are asked for beside others by an option of their own, too.
struct Wanted {
  bool wall;
  bool alloc;
  bool lock;
};

// The one whose interval is interval=; "" where that would be more than one.
std::string_view main_event(const Options::Said& said, const Wanted& wanted) {
  if (!said.event.empty()) return said.event;
  if (wanted.wall + wanted.alloc + wanted.lock > 1) return "";
  return wanted.wall ? kWall : wanted.alloc ? kAlloc : wanted.lock ? kLock : "cpu";
}

// What goes on with an interval of its own, which may have been given by interval=, too.
using ParseInterval = int64_t (*)(std::string_view text, const OptionHelp& option);
int64_t interval_of(const Options::Said& said, bool is_main, std::string_view own, const OptionHelp& option,
                    ParseInterval parse, int64_t usual) {
  bool by_interval = is_main && !said.interval.empty();
  if (by_interval && !own.empty()) refuse_two(option.name);
  if (by_interval) return parse(said.interval, {"interval", option.accepts});
  return own.empty() ? usual : parse(own, option);
}

// All CPU engines fill the same values.
std::string event_of_text(const std::string& said) {
  return said.empty() || said == kWall || said == kAlloc || said == kLive || said == kLock ? said : "cpu";
}

[[noreturn]] void refuse_as_event(std::string_view word) {
  throw Error(formatted("option event: {} is no event, but an option of its own", word),
              formatted("give {0} alone, or beside event=cpu (the launcher's --{0})", word));
}

// What tells nothing of allocations and locks beside no other event.
void refuse_idle(const Options& options) {
  if (options.cpu || options.wall_interval_ns > 0) return;
  constexpr const char* kRemedy = "leave it out or add event=cpu or wall";
  if (options.ttsp)
    throw Error("option ttsp: nothing is allocated, and no lock taken, on the way to a safepoint", kRemedy);
  if (options.pc_addresses || options.receivers || options.compilations)
    throw Error("option features: they tell of interrupted code, and allocations and locks interrupt none", kRemedy);
}

}  // namespace

void say_event(Options* options, std::string_view value, const OptionHelp& option) {
  say_once(&options->said.event, value, option);
  if (value == kWall || value == kAlloc || value == kLive || value == kLock) return;
  constexpr std::pair<std::string_view, CpuEngine> kEvents[] = {{"cpu", CpuEngine::kAutomatic},
                                                                {"cpu-clock", CpuEngine::kPerfEvents},
                                                                {"ctimer", CpuEngine::kThreadTimer},
                                                                {"itimer", CpuEngine::kProcessTimer}};
  for (const auto& [name, engine] : kEvents) {
    if (value != name) continue;
    options->engine = engine;
    return;
  }
  constexpr std::string_view kWaysOfAlloc[] = {"tlab", "exact"};
  if (std::find(std::begin(kWaysOfAlloc), std::end(kWaysOfAlloc), value) != std::end(kWaysOfAlloc))
    refuse_as_event(value);
  refuse(option, value);
}

void say_interval(Options* options, std::string_view value, const OptionHelp& option) {
  if (value.empty()) refuse(option, value);
  say_once(&options->said.interval, value, option);
}

void say_wall(Options* options, std::string_view value, const OptionHelp& option) {
  options->said.wall = true;
  say_once(&options->said.wall_interval, value, option);
}

void say_alloc(Options* options, std::string_view value, const OptionHelp& option) {
  options->said.alloc = true;
  say_once(&options->said.allocation_interval, value, option);
}

void say_lock(Options* options, std::string_view value, const OptionHelp& option) {
  options->said.lock = true;
  say_once(&options->said.lock_interval, value, option);
}

void say_exact(Options* options, std::string_view, const OptionHelp&) {
  options->said.alloc = true;
  options->exact = true;
}

void say_live(Options* options, std::string_view, const OptionHelp&) {
  options->said.alloc = true;
  options->live = true;
}

// Which engine, and so that there is one.
void say_tlab(Options* options, std::string_view, const OptionHelp&) {
  options->said.alloc = true;
  options->tlab = true;
}

// wall=, alloc= or lock= beside no event is that alone, beside another both. An interval= is that of the event=.
void settle_events(Options* options) {
  if (options->exact && options->tlab) throw Error("option exact: tlab does not see every object", "leave tlab out");
  if (options->live && options->tlab) throw Error("option live: tlab knows no objects to follow", "leave tlab out");
  bool only_shows = options->action == Action::kStop || options->action == Action::kDump;
  if (options->said.event == kLive && !only_shows) refuse_as_event(kLive);
  const Options::Said& said = options->said;
  options->write.event = options->live ? "" : event_of_text(said.event);  // live is shown before all others
  Wanted wanted = {said.wall || said.event == kWall, said.alloc || said.event == kAlloc,
                   said.lock || said.event == kLock};
  bool is_one_of_those = said.event == kWall || said.event == kAlloc || said.event == kLock;
  options->cpu = said.event.empty() ? !wanted.wall && !wanted.alloc && !wanted.lock : !is_one_of_those;
  std::string_view main = main_event(said, wanted);
  if (main.empty() && !said.interval.empty())
    throw Error("option interval: it may be that of several events", "give it by wall=, alloc= or lock=");
  if (options->cpu && !said.interval.empty()) options->interval_ns = sampling_interval(said.interval, kInterval);
  constexpr int64_t kWallDefault = 50'000'000, kAllocDefault = 512 << 10, kLockDefault = 10'000;
  if (wanted.wall)
    options->wall_interval_ns =
        interval_of(said, main == kWall, said.wall_interval, {kWall, kWallIntervals}, sampling_interval, kWallDefault);
  if (wanted.alloc) {
    bool says_interval = !said.allocation_interval.empty() || (main == kAlloc && !said.interval.empty());
    if (options->exact && says_interval)
      throw Error("option exact: it records every object, and an interval was given", "leave one of them out");
    options->allocation_interval = interval_of(said, main == kAlloc, said.allocation_interval,
                                               {kAlloc, kAllocationIntervals}, allocation_interval, kAllocDefault);
    if (options->exact) options->allocation_interval = 0;
  }
  if (wanted.lock)
    options->lock_interval_ns =
        interval_of(said, main == kLock, said.lock_interval, {kLock, kLockIntervals}, lock_interval, kLockDefault);
  refuse_idle(*options);
}

}  // namespace hearth::session
