#include "launcher/commands/leaks_command.h"

#include <algorithm>
#include <ctime>
#include <filesystem>

#include "base/clocks.h"
#include "base/error.h"
#include "base/files.h"
#include "base/formatted.h"
#include "launcher/leaks/leak_looks.h"
#include "launcher/leaks/store_looks.h"
#include "launcher/line/option_parser.h"
#include "launcher/line/typed_values.h"
#include "launcher/line/usage_error.h"
#include "launcher/text/output_file.h"
#include "profile/codec/utf8.h"
#include "profile/formats/formats.h"
#include "profile/model/event_view.h"

namespace hearth::launcher {
namespace {

constexpr const char* kAbout = R"(Looks at the live memory of the JVM 13 times, and prints the sites whose memory
grows: native memory since the session's start, by malloc, mmap and their like, and
objects that are reachable, for which each look begins with a full collection.
± is the bound of the growth: 95 of 100 sessions of a program that grows as fast are
off by less. A site leaks if its growth is above the bound and goes on in the last
quarter of the time, and if it keeps the memory of the first. The longer it looks, the
narrower the bound; look for longer than caches take to replace their content:
  hearth leaks -d 10m 1234
  hearth leaks -e native-live -i 64k --top 20 1234
A site that leaks objects also shows the references that keep them, from a static
field, a thread or JNI down to the object. The search takes half of a processor for up
to 30 s and pauses the JVM for some milliseconds; --no-holders leaves it out.
Windows of an always-on store with nativemem have looks as well, over days; those of
one run of the program are compared:
  hearth leaks /var/lib/hearth/checkout@-24h..now
The looks can be dumps of a session of your own; equal distances are best:
  hearth leaks 1.pb.gz 2.pb.gz 3.pb.gz
)";

bool is_page(const std::string& file) {
  try {
    return profile::format_of_file(file) == profile::Format::kFlameGraph;
  } catch (const profile::FormatError&) {
    return false;
  }
}

void refuse_unfit_words(const LeaksRequest& request, const OptionParser& parser) {
  constexpr size_t kFewest = 3;
  if (!request.target.empty()) return;
  if (!request.store && request.files.size() < kFewest)
    throw UsageError(
        "leaks takes one PID or NAME (hearth list shows the JVMs), a store, or three or more dumps of one session");
  const char* given = request.store ? "this is a store" : "these are dumps";
  for (const char* option : {"--duration", "--interval", "--no-holders"})
    if (parser.has(option)) throw UsageError(formatted("{} is of a session, and {}", option, given));
}

// False: a site leaks, and that is to be a failure.
bool write_leaks(const Leaks& leaks, const LeaksRequest& request) {
  if (!request.page.empty() && leaks.last) replace_file(request.page, leaks_page(leaks));
  write_stdout(request.json ? leaks_json(leaks, request.limit)
                            : profile::shown_lines(leaks_text(leaks, request.limit, style_of_stdout())));
  return !request.fails || std::none_of(leaks.kinds.begin(), leaks.kinds.end(), [&](const LeakKind& kind) {
    return kind.sites.total(leaks.seconds_apart).leaks;
  });
}

}  // namespace

std::variant<std::string, LeaksRequest> parse_leaks_line(const std::vector<std::string>& arguments) {
  OptionParser parser("hearth leaks [OPTIONS] PID|NAME, or hearth leaks [OPTIONS] STORE[@FROM..TO]|DUMP DUMP DUMP...");
  parser.add_value("-d,--duration", "TIME", "How long to look: whole seconds, or with ms, s, m, h (60 s)");
  parser.add_value("-e,--event", "EVENT",
                   "Only native-live (native memory) or live (objects); live needs JDK 11 or newer");
  parser.add_value("-i,--interval", "BYTES", "Between two samples, with k, m or g (512k); less finds slower leaks");
  parser.add_value("--top", "N", "Sites of each (10)");
  parser.add_value("-f,--file", "FILE.html", "Write a page as well: a flame graph of the growth, and of live memory");
  parser.add_flag("--no-holders", "Do not search for the references that keep leaking objects");
  parser.add_flag("--json", "Print JSON");
  parser.add_flag("--fail", "Exit status 3 if a site leaks");
  parser.add_value("--libpath", "PATH", "The agent library, if not ../lib/libhearth.so");
  if (!parser.parse(arguments)) return parser.help() + "\n" + kAbout;
  LeaksRequest request;
  if (parser.words().size() != 1) {
    request.files = parser.words();
  } else {
    request.store = store::store_range(parser.words()[0], clock_ns(CLOCK_REALTIME));
    if (!request.store) request.target = parser.words()[0];
  }
  refuse_unfit_words(request, parser);
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
  if (std::string file = parser.last("--file"); !file.empty()) {
    if (!is_page(file)) throw UsageError(formatted("-f {}: leaks writes a page, whose name ends with .html", file));
    request.page = std::filesystem::absolute(file).lexically_normal();
  }
  request.holders = !parser.has("--no-holders");
  request.json = parser.has("--json");
  request.fails = parser.has("--fail");
  request.libpath = parser.last("--libpath");
  return request;
}

bool run_leaks_command(const LeaksRequest& request) {
  if (std::string reason = request.page.empty() ? "" : why_not_writable(request.page); !reason.empty())
    throw Error(formatted("cannot write {}: {}", request.page, reason));
  Leaks leaks;
  if (request.native) leaks.kinds.push_back({"Native memory", profile::kNativeLiveEvent, {}});
  if (request.heap) leaks.kinds.push_back({"Objects on the heap", profile::kLiveEvent, {}});
  if (request.store)
    look_at_store(*request.store, &leaks);
  else if (request.files.empty())
    look_at_jvm(request, &leaks);
  else
    look_at_dumps(request.files, &leaks);
  return write_leaks(leaks, request);
}

}  // namespace hearth::launcher
