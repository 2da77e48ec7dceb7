// Turns a stored profile into another format.
#pragma once

#include <string>

#include "profile/formats.h"
#include "profile/respell.h"
#include "typed_values.h"

namespace hearth::launcher {

struct ConvertRequest {
  std::string input;                 // "-": standard input
  std::string output;                // "-": standard output
  std::vector<TypedFormat> formats;  // more than one: texts, one after the other
  profile::WriteOptions options;
  profile::Respelling names;
};

// The format of the input is told by its content. Throws Error.
void run_convert_command(const ConvertRequest& request);

}  // namespace hearth::launcher
