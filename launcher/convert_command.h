// Turns a stored profile into another format.
#pragma once

#include <string>

#include "profile/formats.h"

namespace hearth::launcher {

struct ConvertRequest {
  std::string input;   // "-": standard input
  std::string output;  // "-": standard output
  profile::Format format = profile::Format::kCollapsed;
  profile::WriteOptions options;
};

// The format of the input is told by its content. Throws Error.
void run_convert_command(const ConvertRequest& request);

}  // namespace hearth::launcher
