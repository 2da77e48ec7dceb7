// The command line of `hearth launch`.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "launcher/commands/launch_command.h"

namespace hearth::launcher {

// The help text, if requested. Throws UsageError.
std::variant<std::string, LaunchRequest> parse_launch_line(const std::vector<std::string>& arguments);

}  // namespace hearth::launcher
