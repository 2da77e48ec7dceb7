// The agent's options: async-profiler's grammar (key or key=value, separated by commas) and names. Pure text work,
// knows no JVM.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/log.h"
#include "options/calls/call_pattern.h"
#include "options/event_rows.h"
#include "options/events/counter_names.h"
#include "options/flight_triggers.h"
#include "options/thread_filter.h"
#include "profile/formats/formats.h"

namespace hearth::options {

enum class Action {
  kNone,
  kStart,
  kStop,
  kPause,
  kResume,
  kDump,
  kStatus,
  kMetrics,
  kList,
  kVersion,
  kHolders,
  kStopHttp
};
enum class CpuEngine { kAutomatic, kPerfEvents, kThreadTimer, kProcessTimer };
enum class StackStyle { kVm, kVmWithNatives, kAsyncGetCallTrace, kDwarf, kFramePointer, kNoNatives, kCompare };

// How much a store of profiles may hold.
struct StoreLimits {
  int64_t bytes = int64_t{1} << 30;
  int64_t count = 10'000;
};

// Parts that a recording lacks; numbers of async-profiler's jfropts.
enum JfrOmission : uint32_t { kNoSystem = 1, kNoProperties = 2, kNoLibraries = 4, kNoCpuLoad = 8, kNoHeap = 16 };

enum class RecordingClock { kMonotonic, kTsc };

struct Options {
  Action action = Action::kNone;

  // Sampling.
  EventSet events;  // interval 0: every object, every wait
  std::vector<CounterEvent> counters;
  CpuEngine engine = CpuEngine::kAutomatic;
  bool tlab = false;                       // allocations by the hooks on TLABs
  bool exact = false;                      // all allocations
  bool live = false;                       // allocated objects that are still reachable
  bool messages = false;                   // exceptions also by the shape of their messages
  bool redact = false;                     // I/O without names of files, peers and hosts
  bool nofree = false;                     // native memory without what is freed
  std::vector<CallChoice> called, traced;  // methods, of the events calls and trace
  int64_t trace_every = 1;                 // one of so many long enough calls is sampled
  uint32_t java_depth = 2048;
  uint32_t java_kept = 2048;  // of a deeper stack
  bool pc_addresses = false;
  bool receivers = false;
  bool compilations = false;
  StackStyle stacks = StackStyle::kVmWithNatives;
  bool native_roots = true;             // native frames below Java frames; false: only those that Java code called
  bool show_profiler = false;           // hearth's own frames on the program's threads, and its commands
  bool user_code_only = false;          // no kernel frames
  int64_t processes_ns = 0;             // interval of samples of the machine's processes in a recording; 0: none
  bool record_cpu = false;              // a frame for the CPU that a thread ran on
  std::optional<int> target_cpu;        // samples only of this CPU
  int cpu_signal = 0, wall_signal = 0;  // 0: any free one
  std::optional<int64_t> memory_limit;  // of stacks, in bytes
  ThreadFilter filter;                  // all threads
  std::string begin, end;               // native functions, or ""
  bool ttsp = false;                    // begin and end are those of the way to a safepoint
  bool nostop = false;                  // outside of begin and end, too
  int64_t timeout_ns = 0;               // 0: none
  int64_t loop_ns = 0;                  // starts again after this time; 0: does not

  // The session's name, "": none; of actions other than start also its number.
  std::string session;
  // Of holders: profile::stack_key() of each site that is meant. None: those with the most live memory.
  std::vector<uint64_t> sites;

  // Output. No formats: by the file's name, else traces and flat as text.
  std::string file;  // patterns not expanded
  std::vector<profile::Format> formats;
  int flat_limit = 200;
  int traces_limit = 200;
  profile::WriteOptions write;
  bool threads = false;
  bool library_names = false;
  bool simple_names = false;
  bool signatures = false;
  bool dots = false;
  bool normalize = false;
  int64_t chunk_bytes = 100 << 20;  // of a recording: then the next chunk begins
  int64_t chunk_ns = 3'600'000'000'000;
  std::map<std::string, int64_t> rate_limits;  // of a recording: events a second by category: cpu, wall, alloc,
                                               // nativemem, lock, nativelock, trace, span
  uint32_t jfr_omits = 0;                      // of JfrOmission
  std::optional<std::string> jfr_sync;  // settings of a recording of the JVM's own events that is added; unset: none
  std::optional<RecordingClock> clock;  // unset: that of the JVM's own recording, else monotonic
  int64_t counter_per_second = 0;       // rate of the processor's counter as this clock; 0: it is monotonic
  std::optional<bool> clojure;          // unset: on when Clojure is loaded

  // The events as typed; the resulting set is above.
  struct RawEvents {
    std::string event;     // the first of event=, "": none; it takes interval=
    std::string cpu;       // the CPU event, "": none
    std::string interval;  // "": none
    // Events that were asked for in addition to `event`, or by options of their own: the value of that option, "":
    // none.
    ByEvent<std::optional<std::string>> own;
    // Counters in their order, with the interval of NAME@INTERVAL; "": none.
    std::vector<std::pair<std::string, std::string>> counters;
  };
  RawEvents raw;

  // The control server, started with a session or alone.
  std::string http;        // its address, "": none is to be started
  std::string token_file;  // "": one of its own
  std::optional<StoreLimits> keep;

  // The always-on store: started, stopped, or asked for a range of time.
  bool is_about_store = false;
  std::string store;  // its directory, patterns not expanded; "": the one that is running
  int64_t window_ns = 60'000'000'000;
  double budget = 0.01;                 // of one CPU, or of the CPU time that the process uses where that is more
  bool has_window_option = false;       // or budget
  bool always_on = false;               // this session's windows go to a store
  std::string from, to;                 // "" where there is no such end
  std::vector<FlightTrigger> triggers;  // of the flight recorder
  int64_t freeze_ns = 300'000'000'000;  // how much it keeps
  bool publish_context = false;         // for profilers outside of the process
  std::string push;              // where its windows are pushed, "": nowhere; with user and password: not for a log
  std::string push_labels;       // as typed
  std::string push_token;        // a file, "": none
  std::string push_credentials;  // likewise
  std::string push_ca;           // likewise
  std::string push_tenant;       // "": none

  // How it speaks.
  std::optional<LogLevel> log_level;
  std::string log_file;
  bool quiet = false;
  bool sets_log() const { return log_level || !log_file.empty() || quiet; }
  std::string reply;           // internal: the launcher's file for the answer
  bool speaks_asprof = false;  // the answers are async-profiler's
  bool announces = true;       // such a start is answered

  // Whether an option of the second group was given: a stop without any takes those of its start.
  bool has_output_option = false;
  bool only_sets_log = true;  // no option was given, or only those of the log
};

// Throws Error with one line: the key, its value, the accepted values, and the nearest known key.
Options parse_options(std::string_view text);

// One option as a caller gives it that needs no grammar. No value: the name alone.
struct OptionSetting {
  std::string name;
  std::optional<std::string> value{};
};

// Reads settings in their order. A comma in a value belongs to it. Throws as parse_options().
Options options_of(const std::vector<OptionSetting>& settings);

// The value of reply=, read even where the rest cannot be parsed; "" when there is none.
std::string reply_option(std::string_view text);

}  // namespace hearth::options
