// Turns a stored profile into another format.
#pragma once

#include <string>

#include "launcher/line/typed_values.h"
#include "profile/formats/formats.h"
#include "profile/formats/respell.h"

namespace hearth::launcher {

struct ConvertRequest {
  std::string input;                 // "-": standard input
  std::string output;                // "-": standard output
  std::vector<TypedFormat> formats;  // more than one: texts, one after the other
  bool lists_stacks = false;         // instead: the text of each stack, a line each
  std::string rewrite;               // file with a line for each of these, that takes the stack's place; empty: none
  profile::WriteOptions options;
  profile::Respelling names;
};

// The format of the input is told by its content. Throws Error.
void run_convert_command(const ConvertRequest& request);

}  // namespace hearth::launcher
