#include "launcher/line/agent_flag_words.h"

#include <algorithm>
#include <utility>

#include "base/formatted.h"
#include "launcher/line/usage_error.h"
#include "options/option_text.h"

namespace hearth::launcher {
namespace {

// Refuses a value that the page could not show when the session is over.
void check_value(std::string_view option, const std::string& value) {
  std::vector<std::string> alone;
  if (option == "transform") parse_transform(value);
  if (option == "highlight") parse_highlight(value, &alone);
  if (option == "sort") parse_sort(value);
}

// Represents a comma of a value; 0: none does.
char comma_of(options::Commas commas) {
  switch (commas) {
    case options::Commas::kPlus:
      return '+';
    case options::Commas::kSemicolon:
      return ';';
    default:
      return 0;
  }
}

}  // namespace

bool can_lack_value(const AgentFlag& flag) {
  return flag.row->takes == options::Takes::kOptionalValue;
}

void add_agent_flag(const AgentFlag& flag, OptionParser* parser) {
  if (flag.type.empty())
    parser->add_flag(flag.names, flag.help);
  else if (can_lack_value(flag))
    parser->add_optional_value(flag.names, flag.type, flag.help);
  else
    parser->add_value(flag.names, flag.type, flag.help, flag.row->takes == options::Takes::kValues);
}

void add_event_choice(OptionParser* parser) {
  parser->add_value("-e,--event", "EVENT", "Event to show (default: live, else the first)");
}

std::vector<std::string> agent_words(const OptionParser& parser, Stage stage) {
  std::vector<std::string> words;
  for (const AgentFlag& flag : agent_flags()) {
    const std::string& name = flag.name;
    if (flag.stage != stage || !parser.has(name)) continue;
    // One value for each time that the flag was given.
    std::vector<std::string> values = flag.type.empty() ? std::vector<std::string>{""} : parser.all(name);
    for (std::string& value : values) {
      check_value(flag.row->name, value);
      if (char comma = comma_of(flag.row->commas)) std::replace(value.begin(), value.end(), ',', comma);
      if (!flag.type.empty() && flag.row->commas != options::Commas::kKept) refuse_comma(flag, value);
      bool is_bare = flag.type.empty() || (can_lack_value(flag) && value.empty());
      words.push_back(is_bare ? std::string(flag.row->name)
                              : formatted("{}={}", flag.row->name, options::escaped_value(value)));
    }
  }
  return words;
}

void refuse_exclusions(const OptionParser& parser) {
  for (const options::Contradiction& both : options::kContradictions) {
    if (parser.has(formatted("--{}", both.one)) && parser.has(formatted("--{}", both.other)))
      throw UsageError(options::exclusion_text(both, "--"));
  }
}

void refuse_page_options(const OptionParser& parser, const std::vector<TypedFormat>& formats) {
  for (const TypedFormat& one : formats) {
    if (one.format == profile::Format::kFlameGraph) return;
    auto refuse = [&](std::string_view name) {
      bool has_title = one.format == profile::Format::kPprof || one.format == profile::Format::kJfr ||
                       one.format == profile::Format::kOtlp;
      bool keeps_it = has_title && name == "--title";
      if (parser.has(std::string(name)) && !keeps_it)
        throw UsageError(
            formatted("{} applies to a flame graph; give -o flamegraph or a FILE that ends in .html", name));
    };
    refuse("--minwidth");
    for (const char* name : kPageOptions) refuse(name);
  }
}

void refuse_event_of_pprof(const OptionParser& parser, const std::vector<TypedFormat>& formats) {
  if (formats.empty() || !parser.has("--event")) return;
  for (auto [format, name] : {std::pair(profile::Format::kPprof, "pprof"), {profile::Format::kJfr, "JFR"}})
    if (formats.front().format == format)
      throw UsageError(formatted("--event selects the shown event, but {} contains all; leave it out", name));
}

void refuse_comma(const AgentFlag& flag, const std::string& value) {
  if (value.find(',') == std::string::npos) return;
  if (flag.row->is_secret)
    throw UsageError(formatted("{}: a comma separates the agent's options; write %2C in its place", flag.name));
  throw UsageError(formatted("{} {}: a comma separates the agent's options and cannot be in a value; leave it out",
                             flag.name, value));
}

void refuse_comma(const std::string& word) {
  if (word.find(',') != std::string::npos)
    throw UsageError(formatted("{}: a comma separates the agent's options and cannot be in a value", word));
}

}  // namespace hearth::launcher
