// Command lines in tests.
#pragma once

#include <string>
#include <vector>

#include "launcher/line/command_line.h"
#include "launcher/line/usage_error.h"

namespace hearth::launcher {

using Words = std::vector<std::string>;

// Returns the message with which a command line is refused; "": it is accepted.
inline std::string refusal(const Words& arguments) {
  try {
    parse_command_line(arguments);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

}  // namespace hearth::launcher
