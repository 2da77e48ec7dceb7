// Converts a stored profile to another format.
#pragma once

#include <string>
#include <vector>

#include "launcher/commands/time_words.h"
#include "launcher/line/typed_values.h"
#include "profile/formats/formats.h"
#include "profile/formats/name_style.h"

namespace hearth::launcher {

struct ConvertRequest {
  std::vector<std::string> inputs;   // several: merged; one may be "-": standard input
  std::string output;                // "-": standard output
  std::vector<TypedFormat> formats;  // several: texts, one after the other
  bool lists_stacks = false;         // instead: the text of each stack, one per line
  std::string rewrite;               // file with a replacement line for each of these; empty: none
  profile::WriteOptions options;
  profile::NameStyle names;
  TimeWords time;
};

// Recognises the format of the input by its content. Throws Error.
void run_convert_command(const ConvertRequest& request);

}  // namespace hearth::launcher
