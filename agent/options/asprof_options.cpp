#include "options/asprof_options.h"

#include <algorithm>
#include <iterator>

namespace hearth::options {
namespace {

constexpr std::string_view kNone = "hearth has no such option";

struct Instead {
  constexpr Instead(std::string_view option, std::string_view always) : Instead(option, always, always, always) {}
  constexpr Instead(std::string_view option, std::string_view of_options, std::string_view of_flags,
                    std::string_view of_json)
      : name(option), options(of_options), flags(of_flags), json(of_json) {}

  std::string_view in(Grammar grammar) const {
    if (grammar == Grammar::kOptions) return options;
    return grammar == Grammar::kFlags ? flags : json;
  }

  std::string_view name, options, flags, json;
};

// clang-format off
constexpr Instead kOptions[] = {
    {"all", "name the events: event=cpu,wall,alloc,lock", "name the events: -e cpu,wall,alloc,lock", R"(name the events: "event": "cpu,wall,alloc,lock")"},
    {"all-user", "its name among options is alluser", "", "hearth start --all-user PID has it"},
    {"fdtransfer", "allow perf_event_open to the process; else hearth samples by timers", "run hearth as root, or allow perf_event_open; else it samples by timers", "allow perf_event_open to the process; else hearth samples by timers"},
    {"jfrsync", "hearth does not merge its recordings with those of the JVM; start both"},
    {"log", "", "-agentpath takes log=FILE", ""},
    {"nobatch", kNone},
    {"proc", "hearth does not sample other processes"},
    {"quiet", "", "-agentpath takes quiet; the launcher's messages go to standard error", ""},
    {"sched", kNone},
};

constexpr Instead kActions[] = {
    {"check", "list shows which events the JVM offers", "hearth list PID shows which events the JVM offers", "GET /api/events lists the events"},
    {"load", "hearth's agent is loaded", "each action loads the agent, as hearth status PID does", "hearth's agent is loaded"},
    {"meminfo", "metrics has the agent's memory", "hearth metrics PID has the agent's memory", "GET /metrics has the agent's memory"},
};
// clang-format on

template <size_t N>
std::string_view instead_in(const Instead (&all)[N], std::string_view name, Grammar grammar) {
  const auto* found =
      std::find_if(std::begin(all), std::end(all), [&](const Instead& one) { return one.name == name; });
  return found == std::end(all) ? "" : found->in(grammar);
}

}  // namespace

std::string_view instead_of_asprof_option(std::string_view name, Grammar grammar) {
  return instead_in(kOptions, name, grammar);
}

std::string_view instead_of_asprof_action(std::string_view name, Grammar grammar) {
  return instead_in(kActions, name, grammar);
}

}  // namespace hearth::options
