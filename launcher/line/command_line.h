// Parses the command line into a request. Names and meanings are asprof's where it has them.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "launcher/commands/convert_command.h"
#include "launcher/commands/copy_command.h"
#include "launcher/commands/diff_command.h"
#include "launcher/commands/launch_command.h"
#include "launcher/commands/leaks_command.h"
#include "launcher/commands/profile_command.h"
#include "launcher/commands/report_command.h"

namespace hearth::launcher {

struct ShowText {  // help, version
  std::string text;
};
struct ListJvms {};

using Request = std::variant<ShowText, ListJvms, ProfileRequest, ConvertRequest, ReportRequest, DiffRequest,
                             LaunchRequest, LeaksRequest, CopyRequest>;

// `arguments` are without the program's name. Throws UsageError.
Request parse_command_line(const std::vector<std::string>& arguments);

}  // namespace hearth::launcher
