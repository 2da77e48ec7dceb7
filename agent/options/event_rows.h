// The table of events: interval with its bounds, how many sessions an event serves at a time, and words for users. The
// options of events, comparisons of two sessions' events, lists of events and the pprof endpoints read it. The values
// of an event in a profile are in its row of profile/model/event_kinds.h.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "profile/model/event_kinds.h"

namespace hearth::options {

struct Options;

// In the order in which a session lists them, which is that of kEventRows.
enum class Event : uint8_t {
  kCpu,
  kWall,
  kPageFaults,
  kContextSwitches,
  kAlloc,
  kLock,
  kNativeMemory,
  kNativeLock,
  kIo,
  kCalls,
  kTrace,
  kException,
  kHolders,
  kWakers,
  kVirtualThreads,
  kCount
};
inline constexpr auto kEventCount = static_cast<size_t>(Event::kCount);

template <typename Value>
class ByEvent {
 public:
  Value& operator[](Event event) { return values_[static_cast<size_t>(event)]; }
  const Value& operator[](Event event) const { return values_[static_cast<size_t>(event)]; }

 private:
  std::array<Value, kEventCount> values_{};
};

// The events of one session, each with its interval. Used by the functions of event_table.h alone.
class EventSet {
  friend std::optional<int64_t> interval_of(const Options& options, Event event);
  friend void set_interval(Options* options, Event event, std::optional<int64_t> interval);

  ByEvent<std::optional<int64_t>> intervals_;
};

inline constexpr std::string_view kSamplingIntervals =
    "a whole number with ns, us, ms or s, from 100us to 1h; alone it is nanoseconds";
inline constexpr std::string_view kLockIntervals =
    "a whole number with ns, us, ms or s, up to 1h; alone it is nanoseconds";
inline constexpr std::string_view kTraceIntervals =
    "the shortest call that is sampled: a whole number with ns, us, ms or s, up to 1h; alone it is nanoseconds";
inline constexpr std::string_view kAllocationIntervals = "0 to 1g bytes; k, m, g are 1024 each";

// How many sessions an event serves at a time.
enum class Serves {
  kMany,  // each session has a clock and a signal of its own
  kOne    // the JVM's hook has one user
};

struct EventRow {
  // `name` is that of a row of profile::kEventKinds.
  constexpr EventRow(Event one, std::string_view event_name, Serves sessions)
      : event(one),
        kind(profile::event_kind(event_name)),
        name(kind->name),
        unit(kind->unit),
        serves(sessions),
        pprof_path(name) {}

  // Each returns the row with more columns. Intervals: the default, the shortest and the longest; `values` are the
  // accepted ones in words, `bounds` the same for a list of events, "" for those of time.
  constexpr EventRow every(int64_t usual_one, int64_t least_one, int64_t most_one, std::string_view values,
                           std::string_view bounds = "") const {
    EventRow row = *this;
    row.usual = usual_one;
    row.least = least_one;
    row.most = most_one;
    row.accepts = values;
    row.short_accepts = bounds;
    return row;
  }
  constexpr EventRow with_option() const {
    EventRow row = *this;
    row.has_option = true;
    return row;
  }
  constexpr EventRow of_patterns() const {
    EventRow row = *this;
    row.needs_pattern = true;
    return row;
  }
  constexpr EventRow in_stores(std::string_view interval) const {
    EventRow row = *this;
    row.in_store = interval;
    return row;
  }
  constexpr EventRow worded(std::string_view all, std::string_view before = " every ",
                            std::string_view after = "") const {
    EventRow row = *this;
    row.of_all = all;
    row.before_interval = before;
    row.after_interval = after;
    return row;
  }
  constexpr EventRow in_pprof(std::string_view path, std::string_view about) const {
    EventRow row = *this;
    row.pprof_path = path;
    row.pprof_words = about;
    return row;
  }
  constexpr EventRow meaning(std::string_view text) const {
    EventRow row = *this;
    row.words = text;
    return row;
  }

  Event event;
  const profile::EventKind* kind;
  const char* name;       // as in event=NAME
  std::string_view unit;  // of interval and weight, as in profile::ValueType
  Serves serves;
  int64_t usual = 0, least = 0, most = 0;  // intervals
  std::string_view accepts, short_accepts;
  bool has_option = false;     // of its own, named like the event
  bool needs_pattern = false;  // is chosen by names of methods
  std::string_view in_store;   // interval in a store that names no events, as typed; "": not sampled there
  // Text about the interval after the name, where it is 0 and otherwise.
  std::string_view of_all, before_interval = " every ", after_interval;
  std::string_view pprof_path;   // of the event's profile below /debug/pprof
  std::string_view pprof_words;  // for the index of these profiles
  std::string_view words;        // for the list of events
};

namespace event_intervals {
inline constexpr int64_t kMicrosecond = 1'000, kMillisecond = 1'000'000, kHour = 3600LL * 1'000'000'000;
// At shorter ones threads may make no progress (events/cpu/perf_event.cpp).
inline constexpr int64_t kShortestClock = 100 * kMicrosecond;
inline constexpr int64_t kMostBytes = 1 << 30;  // the JVM counts in an int
}  // namespace event_intervals

// Intervals in stores are long: a window of a busy CPU has 3,000 samples.
inline constexpr std::array<EventRow, kEventCount> kEventRows = {
    EventRow(Event::kCpu, "cpu", Serves::kMany)
        .every(10 * event_intervals::kMillisecond, event_intervals::kShortestClock, event_intervals::kHour,
               kSamplingIntervals)
        .in_stores("20ms")
        .in_pprof("profile", "CPU time")
        .meaning("CPU time by perf_events, or by thread timers where those are refused"),
    EventRow(Event::kWall, "wall", Serves::kMany)
        .every(50 * event_intervals::kMillisecond, event_intervals::kShortestClock, event_intervals::kHour,
               kSamplingIntervals)
        .with_option()
        .in_stores("500ms")
        .in_pprof("wall", "time on the clock, whatever a thread does")
        .meaning("time of all threads, on a CPU or not"),
    EventRow(Event::kPageFaults, "page-faults", Serves::kMany)
        .every(1, 1, 1'000'000, "1 to 1000000 faults", "1 to 1000000")
        .in_pprof("page-faults", "page faults, where memory is touched first")
        .meaning("page faults of all threads, where memory is touched first; needs perf_events"),
    // The signal of a sample ends a thread's wait, so the thread is switched out once more: one in an interval is ours.
    EventRow(Event::kContextSwitches, "context-switches", Serves::kMany)
        .every(100, 10, 1'000'000, "10 to 1000000 switches", "10 to 1000000")
        .in_pprof("context-switches", "context switches, where threads wait or are preempted")
        .meaning("context switches of all threads, where they wait or are preempted; needs perf_events"),
    EventRow(Event::kAlloc, "alloc", Serves::kOne)
        .every(512 << 10, 0, event_intervals::kMostBytes, kAllocationIntervals, "0 to 1g bytes")
        .with_option()
        .in_stores("2m")
        .worded(" of every object")
        .in_pprof("allocs", "objects and bytes allocated")
        .meaning("allocated objects, by class; with exact each of them, with live (JDK 11 or newer) those that stay"),
    EventRow(Event::kLock, "lock", Serves::kOne)
        .every(10 * event_intervals::kMicrosecond, 0, event_intervals::kHour, kLockIntervals, "up to 1h")
        .with_option()
        .worded(", every wait", ", waits of less than ", " sampled")
        .in_pprof("mutex", "contentions and delay of threads that waited for locks")
        .meaning("time of threads that wait for contended locks, by the lock's class"),
    EventRow(Event::kNativeMemory, "nativemem", Serves::kOne)
        .every(512 << 10, 0, event_intervals::kMostBytes, kAllocationIntervals, "0 to 1g bytes")
        .with_option()
        .worded(", every allocation")
        .in_pprof("nativemem", "native memory allocated by malloc and its like, and the part that was not freed")
        .meaning("native memory by malloc and its like, of all libraries, and the part that is not freed"),
    EventRow(Event::kNativeLock, "nativelock", Serves::kOne)
        .every(10 * event_intervals::kMicrosecond, 0, event_intervals::kHour, kLockIntervals, "up to 1h")
        .with_option()
        .worded(", every wait", ", waits of less than ", " sampled")
        .in_pprof("nativelock", "contentions and delay of threads that waited for locks of native code")
        .meaning("time of threads that wait for contended mutexes and read-write locks of native code"),
    EventRow(Event::kIo, "io", Serves::kOne)
        .every(10 * event_intervals::kMillisecond, 0, event_intervals::kHour, kLockIntervals, "up to 1h")
        .with_option()
        .worded(", every call", ", calls of less than ", " sampled")
        .in_pprof("io", "calls, time and bytes of I/O, by file and peer")
        .meaning("time and bytes of calls that read, write, connect, accept and look up hosts, by file and peer"),
    EventRow(Event::kCalls, "calls", Serves::kOne)
        .every(1, 1, 1'000'000, "1 to 1000000 calls", "1 to 1000000")
        .of_patterns()
        .in_pprof("calls", "calls of the Java methods that a running session names by event=")
        .meaning("calls of the Java methods that event=CLASS.METHOD names, and Clojure's as NAMESPACE/FUNCTION"),
    EventRow(Event::kTrace, "trace", Serves::kOne)
        .every(0, 0, event_intervals::kHour, kTraceIntervals, "up to 1h")
        .of_patterns()
        .worded("", ", calls of at least ")
        .in_pprof("trace", "slow calls of the Java methods that a running session names by trace=")
        .meaning("time of calls of the Java methods that trace=CLASS.METHOD names"),
    EventRow(Event::kException, "exception", Serves::kOne)
        .every(0, 0, 1'000'000, "1 to 1000000 exceptions; 0: each as long as they are few", "0 to 1000000 exceptions")
        .worded("", ", one in ")
        .in_pprof("exception", "exceptions and errors that Java code makes, by class")
        .meaning("exceptions and errors that Java code makes, by class; with messages by their messages, too"),
    EventRow(Event::kHolders, "holders", Serves::kOne)
        .every(0, 0, 0, "none: holders are looked for as often as wall samples a thread")
        .worded("")
        .in_pprof("holders", "time that threads waited for locks, by the stack that held the lock")
        .meaning(
            "time of threads that wait for locks, by the stack that holds the lock and the one that waits; with wall"),
    EventRow(Event::kWakers, "wakers", Serves::kOne)
        .every(10 * event_intervals::kMillisecond, 0, event_intervals::kHour, kLockIntervals, "up to 1h")
        .worded(", every wait", ", waits of less than ", " sampled")
        .in_pprof("wakers", "time that threads waited in java.util.concurrent, by the stack that woke them")
        .meaning(
            "time of threads that wait in java.util.concurrent, by the stack that wakes them and the one that waits"),
    EventRow(Event::kVirtualThreads, "vthreads", Serves::kOne)
        .every(10 * event_intervals::kMillisecond, 0, event_intervals::kHour, kLockIntervals, "up to 1h")
        .worded(", every wait", ", waits of less than ", " sampled")
        .in_pprof("vthreads", "time that virtual threads waited")
        .meaning("time that virtual threads wait: parked, asleep, in I/O, in Object.wait; from JDK 21 on"),
};

constexpr const std::array<EventRow, kEventCount>& event_rows() {
  return kEventRows;
}
constexpr const EventRow& row_of(Event event) {
  return kEventRows[static_cast<size_t>(event)];
}
// Text that is composed when this is compiled.
struct EventWords {
  constexpr void add(std::string_view more) {
    for (char c : more) text[length++] = c;
  }
  constexpr operator std::string_view() const { return {text, length}; }

  char text[512]{};
  size_t length = 0;
};

// All values of event=, and all intervals.
inline constexpr EventWords kEventWords = [] {
  EventWords words;
  words.add("cpu, cpu-clock, ctimer, itimer");
  for (const EventRow& row : kEventRows) {
    if (row.event == Event::kCpu || row.needs_pattern) continue;
    words.add(", ");
    words.add(row.name);
  }
  words.add(
      "; a Java method, as com.acme.Shop.buy; counters and probes by name (hearth list PID); several with commas, each "
      "with @INTERVAL where it is not the usual one, as cpu@1ms,alloc,cycles@1m");
  return words;
}();
inline constexpr EventWords kIntervals = [] {
  EventWords words;
  words.add(kSamplingIntervals);
  std::string_view before = "; ";
  for (const EventRow& row : kEventRows) {
    if (row.short_accepts.empty()) continue;
    words.add(before);
    words.add("for ");
    words.add(row.name);
    words.add(" ");
    words.add(row.short_accepts);
    before = ", ";
  }
  return words;
}();

}  // namespace hearth::options
