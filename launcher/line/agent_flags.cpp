#include "launcher/line/agent_flags.h"

#include <stdexcept>

#include "base/formatted.h"

namespace hearth::launcher {
namespace {

using options::Group;
using options::OptionRow;

std::string type_of(const OptionRow& row) {
  if (row.takes == options::Takes::kNothing) return "";
  std::string type(row.flag_type);
  return row.takes == options::Takes::kOptionalValue ? formatted("[{}]", type) : type;
}

// "-i,--interval", "--alluser,--all-user"
std::string names_of(const OptionRow& row) {
  std::string names = formatted("--{}", row.name);
  if (row.flag_letter != 0) names = formatted("-{},{}", row.flag_letter, names);
  return row.other_flag.empty() ? names : formatted("{},--{}", names, row.other_flag);
}

std::string help_of(const OptionRow& row) {
  std::string words(row.words);
  return row.usual.empty() ? words : formatted("{} (default: {})", words, row.usual);
}

// Flags of other groups belong to commands of their own, or differ in effect between commands.
bool is_of_session_or_output(const OptionRow& row) {
  switch (row.group) {
    case Group::kEvents:
    case Group::kStacks:
    case Group::kThreads:
    case Group::kOutput:
    case Group::kPage:
      return true;
    case Group::kSession:
      return row.name != "session";
    default:
      return row.name == "loglevel";
  }
}

template <typename Wanted>
std::vector<AgentFlag> flags_where(const Wanted& is_wanted) {
  std::vector<AgentFlag> flags;
  for (const OptionRow& row : options::option_rows())
    if (row.comes_by(options::kByLine) && is_wanted(row)) flags.emplace_back(row);
  return flags;
}

}  // namespace

AgentFlag::AgentFlag(const OptionRow& option)
    : row(&option),
      name(formatted("--{}", option.name)),
      names(names_of(option)),
      type(type_of(option)),
      help(help_of(option)),
      stage(option.shapes_output() ? Stage::kOutput : Stage::kCapture) {}

const std::vector<AgentFlag>& agent_flags() {
  static const std::vector<AgentFlag> kFlags = flags_where(is_of_session_or_output);
  return kFlags;
}

std::vector<AgentFlag> flags_of(Group group) {
  return flags_where([group](const OptionRow& row) { return row.group == group; });
}

AgentFlag flag_of(std::string_view option) {
  if (!options::comes_by(option, options::kByLine)) throw std::logic_error(formatted("{} is not a flag", option));
  return AgentFlag(*options::option_named(option));
}

}  // namespace hearth::launcher
