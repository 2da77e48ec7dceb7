// Parses the command lines of commands on stored profiles. All throw UsageError.
#pragma once

#include <string>
#include <vector>

#include "launcher/line/command_line.h"

namespace hearth::launcher {

Request convert_request(const std::vector<std::string>& arguments);
Request report_request(const std::vector<std::string>& arguments);
Request diff_request(const std::vector<std::string>& arguments);

}  // namespace hearth::launcher
