// Parses async-profiler's command line, for the launcher under the name asprof.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "launcher/commands/asprof_command.h"

namespace hearth::launcher {

struct AsprofText {  // help, version
  std::string text;
  bool is_wrong_usage = false;
};

// `arguments` are without the program's name. Throws UsageError.
std::variant<AsprofText, AsprofRequest, JvmCommandRequest> parse_asprof_line(const std::vector<std::string>& arguments);

}  // namespace hearth::launcher
