#include "launcher/leaks/leak_looks.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string_view>

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
#include "launcher/commands/stored_profile.h"
#include "profile/formats/formats.h"
#include "profile/model/event_kinds.h"
#include "profile/model/event_view.h"

namespace hearth::launcher {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kPatience{300'000};
constexpr milliseconds kGrace{300'000};  // the agent ends a session of a launcher that was killed

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
    add_look(std::move(profile), leaks);
    // A look may take longer than the time until the next one.
    if (number > 0) leaks->seconds_apart = std::chrono::duration<double>(now - first).count() / number;
  }
}

// While the session runs, as it follows the objects. A search that fails leaves the rest of the report.
void ask_for_holders(const AgentLink& agent, const std::string& session, const LeaksRequest& request, Leaks* leaks) {
  for (const LeakKind& kind : leaks->kinds) {
    if (kind.event != std::string_view(profile::kLiveEvent)) continue;
    std::string command = holders_command(kind.sites.sites(leaks->seconds_apart), request.limit, session);
    if (command.empty()) continue;
    try {
      leaks->holders = parse_holders(agent.command(command));
    } catch (const Error& error) {
      leaks->holders.emplace().failure = error.what();
    }
  }
}

bool has(const profile::Profile& profile, const LeakKind& kind) {
  return std::any_of(profile.value_types.begin(), profile.value_types.end(),
                     [&](const auto& type) { return type.type == profile::event_kind(kind.event)->weight; });
}

}  // namespace

void add_look(profile::Profile look, Leaks* leaks) {
  for (LeakKind& kind : leaks->kinds) kind.sites.add(look, profile::event_kind(kind.event)->weight);
  leaks->program = look.metadata.program;
  leaks->last = std::move(look);
  leaks->looks++;
}

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

void look_at_jvm(const LeaksRequest& request, Leaks* leaks) {
  Jvm jvm = require_jvm(resolve_target(request.target));
  AgentLink agent(jvm, place_agent_library(jvm, request.libpath, false), kPatience);
  std::string session = formatted(".hearth-leaks-{}-{:x}", ::getpid(), random_seed());
  agent.command(
      formatted("start,session={},{},timeout={}ms", session, events_of(request), (request.duration + kGrace).count()));
  look_on(agent, session, request, leaks);
  if (request.holders) ask_for_holders(agent, session, request, leaks);
  if (request.native) {
    leaks->arenas = arenas_of(jvm);
    leaks->accounted = accounted_by(jvm);
  }
  agent.command(formatted("stop,session={},collapsed", session));
}

void look_at_dumps(const std::vector<std::string>& files, Leaks* leaks) {
  std::map<int64_t, profile::Profile> dumps;  // by the session's time
  for (const std::string& file : files) {
    profile::Profile dump = read_stored_profile(file);
    int64_t at_ns = dump.metadata.duration_ns;
    dumps.insert_or_assign(at_ns, std::move(dump));
  }
  const profile::Metadata first = dumps.begin()->second.metadata;
  auto is_missing = [&](const LeakKind& kind) { return !has(dumps.begin()->second, kind); };
  leaks->kinds.erase(std::remove_if(leaks->kinds.begin(), leaks->kinds.end(), is_missing), leaks->kinds.end());
  if (leaks->kinds.empty())
    throw Error(formatted("{} has no live memory", files[0]), "start the session with -e nativemem or --live");
  int64_t passed_ns = dumps.rbegin()->first - dumps.begin()->first;
  for (auto& [at_ns, dump] : dumps) {
    const profile::Metadata& about = dump.metadata;
    if (about.start_unix_ns != first.start_unix_ns || about.pid != first.pid)
      throw Error("the files are of different sessions", "give dumps of one session: hearth dump -f N.pb.gz PID");
    add_look(std::move(dump), leaks);
  }
  constexpr double kSecond = 1e9;
  size_t intervals = std::max<size_t>(leaks->looks, 2) - 1;
  leaks->seconds_apart = static_cast<double>(passed_ns) / kSecond / static_cast<double>(intervals);
}

}  // namespace hearth::launcher
