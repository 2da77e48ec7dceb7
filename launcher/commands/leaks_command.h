// Finds memory that grows, native and on the heap: looks at one session of a JVM several times.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "launcher/leaks/growth.h"
#include "launcher/leaks/holders.h"
#include "launcher/text/text_style.h"
#include "store/window_reader.h"

namespace hearth::launcher {

struct LeaksRequest {
  std::string target;                      // PID or NAME
  std::vector<std::string> files;          // instead: dumps of one session
  std::optional<store::StoreRange> store;  // instead
  std::chrono::milliseconds duration{60'000};
  bool native = true, heap = true;
  size_t limit = 10;     // sites of each
  std::string interval;  // bytes between samples; "": the usual one
  bool json = false;
  std::string page;     // a file; "": none
  bool fails = false;   // if a site leaks
  bool holders = true;  // search for the references that keep leaking objects
  std::string libpath;
};

// The help text, if requested. Throws UsageError.
std::variant<std::string, LeaksRequest> parse_leaks_line(const std::vector<std::string>& arguments);

// To standard output. False: a site leaks, and that is to be a failure. Throws Error.
bool run_leaks_command(const LeaksRequest& request);

// A session of `duration` is divided into so many intervals, with a look at each end.
constexpr int kLeakIntervals = 12;
// How long to wait for look `number`, from 0, `passed` after the first; zero if it is late, because looks take longer
// than an interval.
std::chrono::milliseconds until_look(int number, std::chrono::milliseconds duration, std::chrono::milliseconds passed);

// Memory that glibc holds for malloc: what is free in it is no leak.
struct Arenas {
  size_t count = 0;  // except the first, which is [heap]
  int64_t resident = 0;
};
// From the text of /proc/PID/smaps.
Arenas arenas_in(const std::string& smaps);

struct LeakKind {
  const char* title;
  const char* event;
  LiveSites sites;
};

struct Leaks {
  std::vector<LeakKind> kinds;
  double seconds_apart = 0;
  size_t looks = 0;
  // Of a store: the times of the first and the last look, since when memory is followed, and whether the range begins
  // with an earlier run of the program; else 0.
  int64_t from_ns = 0, to_ns = 0, followed_since_ns = 0;
  bool has_earlier_run = false;
  std::optional<Arenas> arenas;          // nothing if they cannot be read
  std::string program;                   // the main class or jar
  std::optional<profile::Profile> last;  // look
  std::string accounted;                 // by the JVM itself; "": it does not
  std::optional<HolderReport> holders;   // nothing if none was asked for
};
std::string leaks_text(const Leaks& leaks, size_t limit, const TextStyle& style);
// A flame graph of the growth, each site below a frame with its rate. There must have been a look.
std::string leaks_page(const Leaks& leaks);
std::string leaks_json(const Leaks& leaks, size_t limit);

}  // namespace hearth::launcher
