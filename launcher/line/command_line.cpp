#include "launcher/line/command_line.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <optional>
#include <utility>

#include "base/formatted.h"
#include "launcher/commands/stored_commands.h"
#include "launcher/line/agent_flag_words.h"
#include "launcher/line/launch_line.h"
#include "launcher/line/option_parser.h"
#include "launcher/line/store_flags.h"
#include "launcher/line/typed_values.h"
#include "launcher/line/usage_error.h"
#include "options/asprof_options.h"

namespace hearth::launcher {
namespace {

constexpr const char* kVersionText = "hearth " HEARTH_VERSION "\n";

constexpr const char* kAbout = R"(Actions:
  collect  Profile for a while, then write the result; the default
  start    Start profiling and return
  stop     Stop and write the result
  pause    Pause sampling of an event (-e alloc), or of all; the session continues
  resume   Resume it
  dump     Write the profile so far and continue
  status   Show the state of the agent
  metrics  The same as figures for Prometheus
  list     The events that a JVM offers; without PID, the JVMs of this machine
  http     Let the JVM be controlled over HTTP; prints the address and a link
           that works once, for 5 minutes; run it again for a new link
  stop-http  Stop the control server
  version  The agent's version; without PID, this launcher's
  launch   Start a program and profile it from its first instruction; see
           hearth launch --help
  convert  Convert a stored profile to another format; see hearth convert --help
  report   Report on a stored profile; see hearth report --help
  diff     Compare two stored profiles; see hearth diff --help
  leaks    Find memory of a JVM that grows, native and on the heap; see
           hearth leaks --help
  copy     Copy this launcher and the agent into a directory; see hearth copy --help

PID is a process id, NAME a part of a main class or jar file.
hearth ACTION --help lists the options that ACTION takes.
Without -f the profile goes to standard output, messages to standard error.
With -f the name selects the format: .html, .pb.gz, .jfr, .otlp, .collapsed; .svg
and .json are refused, other names get text. -o selects it explicitly.
In the name %p is the pid, %t the time, %n the number of the output, %n{MAX} the
same starting over, %{VAR} an environment variable. It must not contain a comma.
A JVM reads 1,024 bytes of options: long names and many patterns may not fit.

Sessions are independent: sessions of different events run at the same time, each
with its own file, start and stop (hearth stop -e alloc 1234). With --session NAME
several of the same event can run, each at its own interval; -d does so by itself.

Examples:
  hearth -d 30 -f profile.html 1234
  hearth start -e cpu -i 1ms clojure.main
  hearth stop -o collapsed clojure.main > stacks.collapsed
  hearth -d 30 -e alloc -f alloc.html 1234
  hearth start -e alloc 1234; hearth stop -e alloc -f alloc.html 1234
)";

struct ActionName {
  const char* name;
  Action action;
};
constexpr std::array kActions = {
    ActionName{"collect", Action::kCollect}, ActionName{"start", Action::kStart},
    ActionName{"stop", Action::kStop},       ActionName{"pause", Action::kPause},
    ActionName{"resume", Action::kResume},   ActionName{"dump", Action::kDump},
    ActionName{"status", Action::kStatus},   ActionName{"metrics", Action::kMetrics},
    ActionName{"list", Action::kList},       ActionName{"version", Action::kVersion},
    ActionName{"http", Action::kHttp},       ActionName{"stop-http", Action::kStopHttp},
};

bool captures(Action action) {
  return action == Action::kCollect || action == Action::kStart;
}

bool writes(Action action) {
  return captures(action) || action == Action::kStop || action == Action::kDump;
}

bool pauses(Action action) {
  return action == Action::kPause || action == Action::kResume;
}

// True for actions on an existing session, which an event can select.
bool chooses(Action action) {
  return action == Action::kStop || action == Action::kDump || pauses(action);
}

bool is_about_sessions(Action action) {
  return writes(action) || pauses(action) || action == Action::kStatus;
}

void add_server_options(OptionParser* parser) {
  parser->add_value("--port", "[ADDR:]PORT",
                    "Address to listen at; other than 127.0.0.1 needs --token (default: a free port)");
  parser->add_value("--socket", "PATH", "Listen at a Unix socket, which only the JVM's user can open");
  for (const char* option : {"token", "keep"}) add_agent_flag(flag_of(option), parser);
}

// The agent's options for `hearth http`.
std::vector<std::string> server_words(const OptionParser& parser) {
  if (parser.has("--port") && parser.has("--socket")) throw UsageError("--port and --socket exclude each other");
  std::vector<std::string> words = {"http=" + (parser.has("--port") ? parser.last("--port") : "0")};
  if (parser.has("--socket")) words[0] = "http=unix:" + std::filesystem::absolute(parser.last("--socket")).string();
  if (parser.has("--token")) words.push_back("token=" + std::filesystem::absolute(parser.last("--token")).string());
  if (parser.has("--keep")) words.push_back("keep=" + parser.last("--keep"));
  for (const std::string& word : words) refuse_comma(word);
  return words;
}

// `only`: those that this action uses.
void add_profile_options(OptionParser* parser, std::optional<Action> only = std::nullopt) {
  auto wanted = [only](bool (*takes)(Action)) { return !only || takes(*only); };
  if (wanted([](Action action) { return action == Action::kCollect; }))
    parser->add_value("-d,--duration", "TIME", "How long to collect: whole seconds, or with ms, s, m, h (60 s)");
  if (wanted(writes)) {
    add_agent_flag(flag_of("file"), parser);
    parser->add_value("-o,--output", "FORMAT",
                      "collapsed, flamegraph (html), tree, pprof, jfr, otlp, flat[=N], traces[=N]");
  }
  for (const AgentFlag& flag : agent_flags()) {
    bool is_event_shown = only && chooses(*only) && flag.row->name == "event";
    if (is_event_shown && pauses(*only))
      parser->add_value("-e,--event", "EVENT", "Event to pause or resume (default: all of the session)");
    else if (is_event_shown)
      parser->add_value("-e,--event", "EVENT",
                        "Event to show (default: live, else the first); also selects its session");
    else if (wanted(flag.stage == Stage::kCapture ? captures : writes) || flag.row->name == "loglevel")
      add_agent_flag(flag, parser);
  }
  if (wanted(is_about_sessions)) add_agent_flag(flag_of("session"), parser);
  if (wanted([](Action action) { return action == Action::kHttp; })) add_server_options(parser);
  if (wanted([](Action action) { return action == Action::kStart || action == Action::kStop; }))
    add_store_flags(parser);
  if (only == Action::kStart) add_agent_flag(flag_of("keep"), parser);
  parser->add_value("--libpath", "PATH", "The agent library, if not ../lib/libhearth.so");
  parser->add_value("--wait", "TIME", "How long the JVM may take to reply: whole seconds, or with ms, s, m, h (5m)");
  if (!only) parser->add_flag("-v,--version", "Show the version");
}

// Removes the action from `words`; it may come anywhere among the options.
std::optional<Action> take_action(std::vector<std::string>* words) {
  for (auto word = words->begin(); word != words->end(); ++word) {
    auto known =
        std::find_if(kActions.begin(), kActions.end(), [&](const ActionName& entry) { return *word == entry.name; });
    if (known == kActions.end()) continue;
    words->erase(word);
    return known->action;
  }
  return std::nullopt;
}

bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

void refuse_more_words(const std::vector<std::string>& words, bool has_action) {
  if (words.size() < 2) return;
  if (has_action || is_number(words[0]))
    throw UsageError(formatted("give one PID or NAME, not {} and {}", words[0], words[1]));
  std::vector<std::string> names = {"convert", "diff", "report", "launch", "leaks"};
  for (const ActionName& entry : kActions) names.emplace_back(entry.name);
  std::string_view instead = options::instead_of_asprof_action(words[0], options::Grammar::kFlags);
  if (!instead.empty()) throw UsageError(formatted("{} is an action of async-profiler: {}", words[0], instead));
  throw UsageError(formatted("unknown action {}{}", words[0], did_you_mean(words[0], names)));
}

[[noreturn]] void refuse_no_target(const OptionParser& parser) {
  std::vector<std::string> names = {"--store"};
  for (const AgentFlag& flag : agent_flags())
    if (can_lack_value(flag)) names.push_back(flag.name);
  for (const std::string& name : names) {
    if (!parser.last(name).empty())
      throw UsageError(formatted("which JVM? {} was read as the value of {}; give PID or NAME, too, or put it first",
                                 parser.last(name), name));
  }
  throw UsageError(
      "which JVM? give its PID or a part of its NAME; hearth list shows the JVMs, hearth --help the options");
}

// Refuses options that would silently do nothing.
void refuse_idle_options(const OptionParser& parser, Action action) {
  for (const AgentFlag& flag : agent_flags()) {
    const std::string& name = flag.name;
    if (!parser.has(name) || name == "--loglevel") continue;
    // There it selects the event that text shows.
    if (name == "--event" && chooses(action)) continue;
    if (flag.stage == Stage::kCapture && !captures(action))
      throw UsageError(name + " belongs to start or collect, where it takes effect");
    if (flag.stage == Stage::kOutput && !writes(action))
      throw UsageError(name + " belongs to an action that writes a profile");
  }
  for (const char* name : {"--file", "--output"}) {
    if (parser.has(name) && !writes(action))
      throw UsageError(formatted("{} belongs to an action that writes a profile", name));
  }
  if (parser.has("--session") && !is_about_sessions(action))
    throw UsageError("--session belongs to start, stop, pause, resume, dump, status or collect");
  for (const char* name : {"--port", "--socket", "--token", "--keep"}) {
    bool is_of_store = name == std::string_view("--keep") && action == Action::kStart && is_about_store(parser);
    if (parser.has(name) && action != Action::kHttp && !is_of_store)
      throw UsageError(formatted("{} belongs to http", name));
  }
  bool can_be_of_store = action == Action::kStart || action == Action::kStop;
  if (!can_be_of_store || !is_about_store(parser)) refuse_store_flags(parser);
  for (const char* name : {"--timeout", "--loop"}) {
    if (parser.has("--duration") && parser.has(name))
      throw UsageError(
          formatted("-d and {0} exclude each other: -d waits here, {0} lets the JVM stop by itself", name));
    if (parser.has(name) && action == Action::kCollect)
      throw UsageError(formatted("{} belongs to start; with collect use -d", name));
  }
  if (parser.has("--duration") && action == Action::kStart)
    throw UsageError("--duration belongs to collect; with start use --timeout");
  if (parser.has("--duration") && action != Action::kCollect) throw UsageError("--duration belongs to collect");
  refuse_exclusions(parser);
}

ShowText profile_help(std::vector<std::string> arguments, const OptionParser& all) {
  std::optional<Action> action = take_action(&arguments);
  if (!action) return {all.help() + "\n" + kAbout};
  auto known =
      std::find_if(kActions.begin(), kActions.end(), [&](const ActionName& entry) { return entry.action == *action; });
  bool of_one = *action != Action::kList && *action != Action::kVersion;
  OptionParser parser(formatted("hearth {} [OPTIONS] {}", known->name, of_one ? "PID|NAME" : "[PID|NAME]"));
  add_profile_options(&parser, action);
  return {parser.help() + "\nhearth --help describes actions, file names and formats.\n"};
}

Request profile_request(const std::vector<std::string>& arguments) {
  OptionParser parser("hearth [ACTION] [OPTIONS] PID|NAME");
  add_profile_options(&parser);
  if (!parser.parse(arguments)) return profile_help(arguments, parser);
  if (parser.has("--version")) return ShowText{kVersionText};
  std::vector<std::string> words = parser.words();
  std::optional<Action> action = take_action(&words);
  refuse_more_words(words, action.has_value());
  ProfileRequest request;
  bool leaves_it_running = (parser.has("--timeout") || parser.has("--loop")) && !parser.has("--duration");
  request.action = action.value_or(leaves_it_running ? Action::kStart : Action::kCollect);
  refuse_idle_options(parser, request.action);
  if (words.empty() && request.action == Action::kList) return ListJvms{};
  if (words.empty() && request.action == Action::kVersion) return ShowText{kVersionText};
  if (words.empty()) refuse_no_target(parser);
  request.target = words[0];
  if (parser.has("--duration")) request.duration = parse_duration("-d", parser.last("--duration"));
  request.file = parser.last("--file") == "-" ? "" : parser.last("--file");
  bool ends = request.action == Action::kStop || request.action == Action::kDump;
  bool has_output_option = parser.has("--output") || parser.has("--file");
  // Without output options a stop uses those of the start.
  if (is_about_store(parser) && has_output_option)
    throw UsageError("the store writes its own files; for a profile from it use hearth convert DIR@FROM..TO FILE");
  if ((!ends && !is_about_store(parser)) || has_output_option)
    request.format = format_words(parser.last("--output"), request.file);
  request.capture = agent_words(parser, Stage::kCapture);
  request.output = agent_words(parser, Stage::kOutput);
  for (std::string& word : store_words(parser, request.action == Action::kStart))
    request.output.push_back(std::move(word));
  if (request.action == Action::kHttp) request.server = server_words(parser);
  std::vector<TypedFormat> formats = parse_formats(request.format);
  if (has_output_option || request.action == Action::kCollect) refuse_page_options(parser, formats);
  if (chooses(request.action)) request.event = parser.last("--event");
  request.session = parser.last("--session");
  if (parser.has("--session") && request.session.empty()) throw UsageError("--session needs a name");
  refuse_comma(request.session);
  request.libpath = parser.last("--libpath");
  if (parser.has("--wait")) request.patience = parse_duration("--wait", parser.last("--wait"));
  request.verbose = parser.last("--loglevel") == "debug";
  return request;
}

Request launch_request(const std::vector<std::string>& arguments) {
  std::variant<std::string, LaunchRequest> parsed = parse_launch_line(arguments);
  if (const auto* help = std::get_if<std::string>(&parsed)) return ShowText{*help};
  return std::get<LaunchRequest>(std::move(parsed));
}

Request leaks_request(const std::vector<std::string>& arguments) {
  std::variant<std::string, LeaksRequest> parsed = parse_leaks_line(arguments);
  if (const auto* help = std::get_if<std::string>(&parsed)) return ShowText{*help};
  return std::get<LeaksRequest>(std::move(parsed));
}

Request copy_request(const std::vector<std::string>& arguments) {
  std::variant<std::string, CopyRequest> parsed = parse_copy_line(arguments);
  if (const auto* help = std::get_if<std::string>(&parsed)) return ShowText{*help};
  return std::get<CopyRequest>(std::move(parsed));
}

}  // namespace

Request parse_command_line(const std::vector<std::string>& arguments) {
  if (!arguments.empty() && arguments[0] == "convert") return convert_request({arguments.begin() + 1, arguments.end()});
  if (!arguments.empty() && arguments[0] == "report") return report_request({arguments.begin() + 1, arguments.end()});
  if (!arguments.empty() && arguments[0] == "diff") return diff_request({arguments.begin() + 1, arguments.end()});
  if (!arguments.empty() && arguments[0] == "launch") return launch_request({arguments.begin() + 1, arguments.end()});
  if (!arguments.empty() && arguments[0] == "leaks") return leaks_request({arguments.begin() + 1, arguments.end()});
  if (!arguments.empty() && arguments[0] == "copy") return copy_request({arguments.begin() + 1, arguments.end()});
  return profile_request(arguments);
}

}  // namespace hearth::launcher
