#include "agent_flag_words.h"

#include <algorithm>

#include "base/formatted.h"
#include "session/options.h"
#include "usage_error.h"

namespace hearth::launcher {
namespace {

bool repeats(const AgentFlag& flag) {
  for (const session::OptionHelp& option : session::known_options())
    if (option.name == flag.key) return option.takes == session::Takes::kValues;
  return false;
}

[[noreturn]] void refuse_comma_in(const AgentFlag& flag, const std::string& value) {
  std::string_view way = flag.key == std::string_view("event")
                             ? "one event is given so; --wall, --alloc and --lock add others to it"
                             : "a comma parts the agent's options and cannot be in a value; leave it out";
  throw UsageError(formatted("{} {}: {}", long_name(flag), value, way));
}

// Now, not when the session is over and the page is made.
void check_value(const AgentFlag& flag, const std::string& value) {
  if (flag.key == std::string_view("transform")) parse_transform(value);
  std::vector<std::string> alone;
  if (flag.key == std::string_view("highlight")) parse_highlight(value, &alone);
  if (flag.key == std::string_view("sort")) parse_sort(value);
}

}  // namespace

std::string long_name(const AgentFlag& flag) {
  std::string names = flag.names;
  return names.substr(names.find("--"));
}

bool can_lack_value(const AgentFlag& flag) {
  return flag.type != nullptr && flag.type[0] == '[';
}

void add_agent_flag(const AgentFlag& flag, OptionParser* parser) {
  if (flag.type == nullptr)
    parser->add_flag(flag.names, flag.help);
  else if (can_lack_value(flag))
    parser->add_optional_value(flag.names, flag.type, flag.help);
  else
    parser->add_value(flag.names, flag.type, flag.help, repeats(flag));
}

void add_event_choice(OptionParser* parser) {
  parser->add_value("-e,--event", "EVENT",
                    "Which session is meant, by an event of it; of its events which one text shows and a page opens on "
                    "(live, else the first)");
}

std::vector<std::string> agent_words(const OptionParser& parser, Stage stage) {
  std::vector<std::string> words;
  for (const AgentFlag& flag : kAgentFlags) {
    std::string name = long_name(flag);
    if (flag.stage != stage || !parser.has(name)) continue;
    // A flag has as many values as it was given times.
    std::vector<std::string> values = flag.type == nullptr ? std::vector<std::string>{""} : parser.all(name);
    for (std::string& value : values) {
      check_value(flag, value);
      if (flag.comma != 0) std::replace(value.begin(), value.end(), ',', flag.comma);
      if (flag.type != nullptr && value.find(',') != std::string::npos) refuse_comma_in(flag, value);
      bool is_bare = flag.type == nullptr || (can_lack_value(flag) && value.empty());
      words.push_back(is_bare ? flag.key : formatted("{}={}", flag.key, value));
    }
  }
  return words;
}

void refuse_page_options(const OptionParser& parser, const std::vector<TypedFormat>& formats) {
  for (const TypedFormat& one : formats) {
    if (one.format == profile::Format::kFlameGraph) return;
    auto refuse = [&](std::string_view name) {
      bool keeps_it = one.format == profile::Format::kPprof && name == "--title";
      if (parser.has(std::string(name)) && !keeps_it)
        throw UsageError(formatted("{} shapes a flame graph; give -o flamegraph or a FILE that ends in .html", name));
    };
    refuse("--minwidth");
    for (const char* name : kPageOptions) refuse(name);
  }
}

void refuse_event_of_pprof(const OptionParser& parser, const std::vector<TypedFormat>& formats) {
  bool is_pprof = !formats.empty() && formats.front().format == profile::Format::kPprof;
  if (is_pprof && parser.has("--event"))
    throw UsageError("--event says which event is shown; pprof holds all of them, leave it out");
}

void refuse_comma(const std::string& word) {
  if (word.find(',') != std::string::npos)
    throw UsageError(formatted("{}: a comma parts the agent's options and cannot be in a value", word));
}

}  // namespace hearth::launcher
