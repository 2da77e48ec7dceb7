#include "launcher/line/launch_line.h"

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "base/formatted.h"
#include "launcher/line/agent_flag_words.h"
#include "launcher/line/usage_error.h"
#include "options/options.h"

namespace hearth::launcher {
namespace {

constexpr const char* kAbout = R"(COMMAND is a java or a script that starts one, such as clojure or mvn. hearth
replaces itself by it: signals reach it, and its exit status is its own. Each JVM
that it starts is profiled from its first instruction and writes its FILE at its
end, or after -d; JVMs started by such a JVM are profiled with --children only.
Without -f the profile is profile-%p.html in the current folder; %p is the pid,
%t the time, %n the number of the output, %{VAR} an environment variable.
If COMMAND is not a java, JVMs get the agent by JAVA_TOOL_OPTIONS and print that;
if several run at the same time and FILE has no %p, the first writes FILE and the
others put -PID before its extension.

Examples:
  hearth launch -- java -jar app.jar
  hearth launch -e alloc -f start-%p.html -d 30 -- clojure -M:run
  hearth launch --http 7070 -i 1ms -- mvn -q test
)";

std::string ending(const std::vector<TypedFormat>& formats) {
  if (formats.empty()) return ".html";
  std::string_view known = profile::ending_of(formats[0].format);
  return std::string(known.empty() ? ".txt" : known);
}

void add_options(OptionParser* parser) {
  parser->add_value("-d,--duration", "TIME",
                    "Write the profile after this time: whole seconds, or with ms, s, m, h (at the end)");
  parser->add_value("-f,--file", "FILE", "Write the profile there (profile-%p.html)");
  parser->add_value("-o,--output", "FORMAT",
                    "collapsed, flamegraph (html), tree, pprof, jfr, otlp, flat[=N], traces[=N]; else by FILE's name");
  parser->add_flag("--children", "Profile JVMs that a profiled JVM starts, too; FILE then needs %p");
  parser->add_optional_value(
      "--http", "[ADDR:]PORT",
      "Let the JVM be controlled over HTTP at this address, or unix:PATH; hearth list shows it (default: a free port)");
  parser->add_value("--token", "FILE", "Read the secret of --http from FILE; it is created if missing");
  for (const AgentFlag& flag : agent_flags()) add_agent_flag(flag, parser);
  parser->add_value("--libpath", "PATH", "The agent library, if not ../lib/libhearth.so");
}

std::string absolute(const std::string& path) {
  return std::filesystem::absolute(path).lexically_normal();
}

std::vector<std::string> server_words(const OptionParser& parser) {
  if (!parser.has("--http")) {
    if (parser.has("--token")) throw UsageError("--token belongs to --http");
    return {};
  }
  constexpr std::string_view kSocket = "unix:";
  std::string where = parser.last("--http");
  if (where.compare(0, kSocket.size(), kSocket) == 0)
    where = std::string(kSocket) + absolute(where.substr(kSocket.size()));
  std::vector<std::string> words = {"http=" + (where.empty() ? "0" : where)};
  if (parser.has("--token")) words.push_back("token=" + absolute(parser.last("--token")));
  for (const std::string& word : words) refuse_comma(word);
  return words;
}

void refuse_contradictions(const OptionParser& parser) {
  if (parser.has("--duration") && parser.has("--timeout"))
    throw UsageError("for launch -d and --timeout mean the same; give one");
  refuse_exclusions(parser);
  std::string file = parser.last("--file");
  if (file == "-") throw UsageError("-f -: standard output belongs to the program; name a file");
  if (parser.has("--children") && parser.has("--file") && file.find("%p") == std::string::npos)
    throw UsageError(formatted("-f {}: with --children each JVM writes its own file; put %p into the name", file));
}

std::vector<std::string> agent_options(const OptionParser& parser, const std::string& format) {
  std::vector<std::string> words = agent_words(parser, Stage::kCapture);
  if (parser.has("--duration"))
    words.push_back(formatted("timeout={}ms", parse_duration("-d", parser.last("--duration")).count()));
  words.push_back(format);
  for (const std::vector<std::string>& more : {agent_words(parser, Stage::kOutput), server_words(parser)})
    words.insert(words.end(), more.begin(), more.end());
  return words;
}

// Refuses options that the agent would refuse later, when the program would already run unprofiled.
void refuse_what_the_agent_does(const std::vector<std::string>& options) {
  try {
    options::parse_options("start," + joined(options, ","));
  } catch (const Error& error) {
    throw UsageError(error.what());
  }
}

}  // namespace

std::variant<std::string, LaunchRequest> parse_launch_line(const std::vector<std::string>& arguments) {
  auto dashes = std::find(arguments.begin(), arguments.end(), "--");
  bool wants_help = std::any_of(arguments.begin(), dashes, [](auto& word) { return word == "-h" || word == "--help"; });
  if (!wants_help && arguments.end() - dashes < 2)
    throw UsageError("launch what? give the command after --, as hearth launch -- java -jar app.jar");
  OptionParser parser("hearth launch [OPTIONS] -- COMMAND [ARGUMENT…]");
  add_options(&parser);
  if (!parser.parse({arguments.begin(), dashes})) return parser.help() + "\n" + kAbout;
  if (std::vector<std::string> words = parser.words(); !words.empty())
    throw UsageError(formatted("{} comes before --, where only options may be; put the command after --", words[0]));
  refuse_contradictions(parser);
  std::vector<TypedFormat> typed = parse_formats(parser.last("--output"));
  LaunchRequest request;
  request.command.assign(dashes + 1, arguments.end());
  request.file = parser.has("--file") ? parser.last("--file") : formatted("profile-%p{}", ending(typed));
  std::string format = format_words(parser.last("--output"), request.file);
  refuse_page_options(parser, parse_formats(format));
  request.options = agent_options(parser, format);
  refuse_what_the_agent_does(request.options);
  request.libpath = parser.last("--libpath");
  request.children = parser.has("--children");
  return request;
}

}  // namespace hearth::launcher
