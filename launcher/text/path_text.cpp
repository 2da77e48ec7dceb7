#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/formatted.h"
#include "launcher/commands/report.h"
#include "launcher/text/columns.h"
#include "profile/formats/amount_text.h"

namespace hearth::launcher {
namespace {

using nlohmann::json;
using profile::PathCause;

std::string of(std::string_view object) {
  return object.empty() ? "" : formatted(", {}", object);
}

std::string cause_text(const PathCause& cause) {
  std::string share = formatted("{:.0f} %", 100 * cause.share);
  switch (cause.kind) {
    case PathCause::Kind::kHolder:
      return formatted("{} held by {}{}", share, cause.what, of(cause.object));
    case PathCause::Kind::kWaker:
      return formatted("{} woken by {}{}", share, cause.what, of(cause.object));
    case PathCause::Kind::kIo:
      return formatted("{} {}, {}", share, cause.what, profile::amount_text(cause.time_ns, "nanoseconds"));
    case PathCause::Kind::kSafepoint:
      break;
  }
  return formatted("{} {}", share, cause.what);
}

const char* word(PathCause::Kind kind) {
  constexpr const char* kWords[] = {"holder", "waker", "io", "safepoint"};
  return kWords[static_cast<size_t>(kind)];
}

double share(int64_t part, int64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

std::string path_text(const PathReport& report, const TextStyle& style) {
  constexpr size_t kUsed = 34;
  const profile::RequestPath& path = report.path;
  auto amount = [](int64_t time) { return profile::amount_text(time, "nanoseconds"); };
  auto fit = [&](std::string_view text, size_t used) {
    return style.on_terminal ? shortened(text, style.width > used ? style.width - used : 1) : std::string(text);
  };
  std::string threads =
      path.threads == 0 ? "" : formatted(", of {} {}", path.threads, path.threads == 1 ? "thread" : "threads");
  std::string title = formatted("Path of {}, of {} on the clock{}", report.work, amount(path.time_ns), threads);
  std::string out = formatted("{}\n\n", report.file);
  out += heading_line(title, style.on_terminal);
  size_t shown = std::min(report.limit, path.steps.size());
  int64_t rest = path.time_ns;
  for (size_t i = 0; i < shown; i++) {
    const profile::PathStep& step = path.steps[i];
    rest -= step.time_ns;
    out += formatted("{:>9} {:>8.1f} %  {:<12} {}\n", amount(step.time_ns),
                     profile::percent_of(step.time_ns, path.time_ns), step.state, fit(step.method, kUsed));
    for (const PathCause& cause : step.causes)
      out += formatted("{:{}}{}\n", "", kUsed + 2, fit(cause_text(cause), kUsed + 2));
  }
  if (shown < path.steps.size())
    out += formatted("{:>9} {:>8.1f} %  … {} more; --top shows them\n", amount(rest),
                     profile::percent_of(rest, path.time_ns), path.steps.size() - shown);
  if (!path.missing.empty())
    out +=
        formatted("\nThe profile has no {}, which show the causes of waits: profile with -e wall,holders,wakers,io\n",
                  joined(path.missing, ", "));
  return out;
}

std::string path_json(const PathReport& report) {
  json object = {{"file", report.file},
                 {"work", report.work},
                 {"total_ns", report.path.time_ns},
                 {"threads", report.path.threads},
                 {"missing_events", report.path.missing},
                 {"path", json::array()}};
  for (const profile::PathStep& step : report.path.steps) {
    json one = {{"state", step.state},
                {"method", step.method},
                {"time_ns", step.time_ns},
                {"share", share(step.time_ns, report.path.time_ns)},
                {"causes", json::array()}};
    for (const PathCause& cause : step.causes)
      one["causes"].push_back({{"kind", word(cause.kind)},
                               {"what", cause.what},
                               {"object", cause.object},
                               {"time_ns", cause.time_ns},
                               {"share", cause.share}});
    object["path"].push_back(std::move(one));
  }
  return object.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace hearth::launcher
