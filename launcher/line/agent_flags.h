// The launcher's flags for options of the agent, derived from the table of options: "interval" is -i,--interval TIME.
#pragma once

#include <string>
#include <vector>

#include "options/option_table.h"

namespace hearth::launcher {

enum class Stage { kCapture, kOutput };

// A flag that describes a session or its output.
struct AgentFlag {
  explicit AgentFlag(const options::OptionRow& option);

  const options::OptionRow* row;
  std::string name;   // "--interval"
  std::string names;  // "-i,--interval"
  std::string type;   // of its value, "": no value; in brackets: an optional value
  std::string help;
  Stage stage;
};

// In the order of the help.
const std::vector<AgentFlag>& agent_flags();

// The flags of another group, such as those of a store.
std::vector<AgentFlag> flags_of(options::Group group);
// The flag of one option that the table allows on the command line.
AgentFlag flag_of(std::string_view option);

}  // namespace hearth::launcher
