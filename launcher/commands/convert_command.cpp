#include "launcher/commands/convert_command.h"

#include "base/files.h"
#include "base/formatted.h"
#include "launcher/commands/stored_profile.h"
#include "launcher/text/output_file.h"
#include "profile/formats/rewritten_stacks.h"

namespace hearth::launcher {

namespace {

std::string converted(const ConvertRequest& request) {
  profile::Profile profile = read_stored_profile(request.input, request.options.labels);
  if (profile.sample_count() == 0)
    print(stderr, "hearth: {} has no samples\n", request.input == "-" ? "standard input" : request.input);
  if (request.names.any()) profile = profile::respelled(profile, request.names);
  if (request.lists_stacks) return profile::stack_lines(profile, request.options);
  profile::WriteOptions options = request.options;
  if (!request.rewrite.empty()) {
    profile = profile::rewritten_stacks(profile, options, read_file(request.rewrite));
    // The rewritten stacks were selected before, and may lack the frames that they were selected by.
    options.include.clear();
    options.exclude.clear();
    options.labels.clear();
  }
  std::string result;
  for (const TypedFormat& format : request.formats) {
    options.limit = format.rows;
    result += profile::write(profile, format.format, options);
  }
  return result;
}

}  // namespace

void run_convert_command(const ConvertRequest& request) {
  std::string result = converted(request);
  if (request.output == "-")
    write_stdout(result);
  else
    replace_file(request.output, result);
}

}  // namespace hearth::launcher
