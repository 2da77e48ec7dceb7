#include "launcher/commands/leaks_command.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "base/error.h"
#include "base/files.h"
#include "base/formatted.h"
#include "base/random.h"
#include "base/text_parts.h"
#include "launcher/attach/agent_library.h"
#include "launcher/attach/agent_link.h"
#include "launcher/attach/hotspot_attach.h"
#include "launcher/attach/jvm_list.h"
#include "launcher/commands/interrupts.h"
#include "launcher/commands/profiling_wait.h"
#include "launcher/line/option_parser.h"
#include "launcher/line/typed_values.h"
#include "launcher/line/usage_error.h"
#include "launcher/text/output_file.h"
#include "profile/codec/utf8.h"
#include "profile/formats/formats.h"
#include "profile/model/event_kinds.h"
#include "profile/model/event_view.h"

namespace hearth::launcher {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kPatience{300'000};
constexpr milliseconds kGrace{300'000};  // the agent ends a session of a launcher that was killed

constexpr const char* kAbout = R"(Looks at the live memory of the JVM 13 times, and prints the sites whose memory
grows: native memory since the session's start, by malloc, mmap and their like, and
objects that are reachable, for which each look begins with a full collection.
± is the bound of the growth: 95 of 100 sessions of a program that grows as fast are
off by less. A site leaks if its growth is above the bound and goes on in the last
quarter of the time, and if it keeps the memory of the first. The longer it looks, the
narrower the bound; look for longer than caches take to replace their content:
  hearth leaks -d 10m 1234
  hearth leaks -e native-live -i 64k --top 20 1234
)";

// What the JVM accounts itself, where it runs with -XX:NativeMemoryTracking.
std::string accounted_by(const Jvm& jvm) {
  try {
    std::string text = attach_command(jvm, {"jcmd", "VM.native_memory summary"}, kPatience);
    size_t total = text.find("Total: ");
    if (total == std::string::npos) return "";
    return text.substr(total, text.find_first_of("\r\n", total) - total);
  } catch (const Error&) {
    return "";
  }
}

std::optional<Arenas> arenas_of(const Jvm& jvm) {
  std::string smaps = read_if_readable(formatted("/proc/{}/smaps", jvm.process.pid));
  if (smaps.empty()) return std::nullopt;
  return arenas_in(smaps);
}

profile::Profile look(const AgentLink& agent, const std::string& session) {
  AgentProfile reply = agent.profile(formatted("dump,session={},pprof", session));
  if (!reply.next) throw Error(reply.message);
  return profile::read_pieces(reply.next);
}

bool is_page(const std::string& file) {
  try {
    return profile::format_of_file(file) == profile::Format::kFlameGraph;
  } catch (const profile::FormatError&) {
    return false;
  }
}

// The options of a session.
std::string events_of(const LeaksRequest& request) {
  std::string events = request.native && request.heap ? "event=nativemem,live"
                       : request.native               ? "event=nativemem"
                                                      : "live";
  if (request.interval.empty()) return events;
  if (request.native) events += formatted(",nativemem={}", request.interval);
  if (request.heap) events += formatted(",alloc={}", request.interval);
  return events;
}

// Looks until the time is over, an interrupt comes or the JVM ends.
void look_on(const AgentLink& agent, const std::string& session, const LeaksRequest& request, Leaks* leaks) {
  using Clock = std::chrono::steady_clock;
  Interrupts interrupts;
  Clock::time_point first = Clock::now();
  for (int number = 0; number <= kLeakIntervals; ++number) {
    milliseconds left =
        until_look(number, request.duration, std::chrono::duration_cast<milliseconds>(Clock::now() - first));
    if (left > milliseconds(0) && wait_while_profiling(agent.jvm(), left, &interrupts).end != End::kTime) return;
    Clock::time_point now = Clock::now();
    if (number == 0) first = now;
    profile::Profile profile = look(agent, session);
    for (LeakKind& kind : leaks->kinds) kind.sites.add(profile, profile::event_kind(kind.event)->weight);
    leaks->program = profile.metadata.program;
    leaks->last = std::move(profile);
    leaks->looks++;
    // A look may take longer than the time until the next one.
    if (number > 0) leaks->seconds_apart = std::chrono::duration<double>(now - first).count() / number;
  }
}

}  // namespace

milliseconds until_look(int number, milliseconds duration, milliseconds passed) {
  return std::max(duration * number / kLeakIntervals - passed, milliseconds(0));
}

Arenas arenas_in(const std::string& smaps) {
  constexpr uintptr_t kAligned = 64 << 20;  // of glibc's arenas: HEAP_MAX_SIZE
  constexpr int64_t kKilo = 1024;
  constexpr std::string_view kRss = "Rss:";
  Arenas arenas;
  bool is_of_malloc = false;
  for (std::string_view line : parts_of(smaps, '\n')) {
    char* rest = nullptr;
    uintptr_t begin = std::strtoul(line.data(), &rest, 16);  // the text of all lines ends with a zero
    if (rest != line.data() && *rest == '-') {
      bool is_heap = line.find("[heap]") != std::string_view::npos;
      bool is_arena = begin % kAligned == 0 && line.find(" rw-p 00000000 00:00 0") != std::string_view::npos &&
                      line.find_first_of("/[") == std::string_view::npos;
      is_of_malloc = is_heap || is_arena;
      if (is_arena) arenas.count++;
    } else if (is_of_malloc && line.substr(0, kRss.size()) == kRss) {
      arenas.resident += std::strtol(line.data() + kRss.size(), nullptr, 10) * kKilo;
    }
  }
  return arenas;
}

std::variant<std::string, LeaksRequest> parse_leaks_line(const std::vector<std::string>& arguments) {
  OptionParser parser("hearth leaks [OPTIONS] PID|NAME");
  parser.add_value("-d,--duration", "TIME", "How long to look: whole seconds, or with ms, s, m, h (60 s)");
  parser.add_value("-e,--event", "EVENT",
                   "Only native-live (native memory) or live (objects); live needs JDK 11 or newer");
  parser.add_value("-i,--interval", "BYTES", "Between two samples, with k, m or g (512k); less finds slower leaks");
  parser.add_value("--top", "N", "Sites of each (10)");
  parser.add_value("-f,--file", "FILE.html", "Write a page as well: a flame graph of the growth, and of what is live");
  parser.add_flag("--json", "Print JSON");
  parser.add_flag("--fail", "Exit status 3 if a site leaks");
  parser.add_value("--libpath", "PATH", "The agent library, if not ../lib/libhearth.so");
  if (!parser.parse(arguments)) return parser.help() + "\n" + kAbout;
  if (parser.words().size() != 1) throw UsageError("leaks takes one PID or NAME; hearth list shows the JVMs");
  LeaksRequest request;
  request.target = parser.words()[0];
  if (parser.has("--duration")) request.duration = parse_duration("-d", parser.last("--duration"));
  if (parser.has("--event")) {
    std::string event = parser.last("--event");
    if (event != profile::kNativeLiveEvent && event != profile::kLiveEvent)
      throw UsageError(formatted("-e {}: leaks looks at native-live or live", event));
    request.native = event == profile::kNativeLiveEvent;
    request.heap = !request.native;
  }
  if (parser.has("--top")) request.limit = parse_rows(parser.last("--top"));
  request.interval = parser.last("--interval");
  if (request.interval.find(',') != std::string::npos)
    throw UsageError(formatted("-i {}: leaks takes one interval", request.interval));
  request.page = parser.last("--file");
  if (!request.page.empty() && !is_page(request.page))
    throw UsageError(formatted("-f {}: leaks writes a page, whose name ends with .html", request.page));
  request.json = parser.has("--json");
  request.fails = parser.has("--fail");
  request.libpath = parser.last("--libpath");
  return request;
}

bool run_leaks_command(const LeaksRequest& request) {
  if (std::string reason = request.page.empty() ? "" : why_not_writable(request.page); !reason.empty())
    throw Error(formatted("cannot write {}: {}", request.page, reason));
  Jvm jvm = require_jvm(resolve_target(request.target));
  AgentLink agent(jvm, place_agent_library(jvm, request.libpath, false), kPatience);
  std::string session = formatted(".hearth-leaks-{}-{:x}", ::getpid(), random_seed());
  Leaks leaks;
  if (request.native) leaks.kinds.push_back({"Native memory", profile::kNativeLiveEvent, {}});
  if (request.heap) leaks.kinds.push_back({"Objects on the heap", profile::kLiveEvent, {}});
  agent.command(
      formatted("start,session={},{},timeout={}ms", session, events_of(request), (request.duration + kGrace).count()));
  look_on(agent, session, request, &leaks);
  if (request.native) {
    leaks.arenas = arenas_of(jvm);
    leaks.accounted = accounted_by(jvm);
  }
  write_stdout(request.json ? leaks_json(leaks, request.limit)
                            : profile::shown_lines(leaks_text(leaks, request.limit, style_of_stdout())));
  if (!request.page.empty() && leaks.last) replace_file(request.page, leaks_page(leaks));
  agent.command(formatted("stop,session={},collapsed", session));
  return !request.fails || std::none_of(leaks.kinds.begin(), leaks.kinds.end(), [&](const LeakKind& kind) {
    return kind.sites.total(leaks.seconds_apart).leaks;
  });
}

}  // namespace hearth::launcher
