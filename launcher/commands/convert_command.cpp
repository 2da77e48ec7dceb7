#include "launcher/commands/convert_command.h"

#include "base/error.h"
#include "base/files.h"
#include "base/formatted.h"
#include "launcher/commands/stored_profile.h"
#include "launcher/text/output_file.h"
#include "profile/formats/rewritten_stacks.h"
#include "profile/model/merged_profile.h"

namespace hearth::launcher {

namespace {

// One profile of all inputs. Times of samples are kept only if there is one input: those of several would overlap.
profile::Profile read_inputs(const ConvertRequest& request) {
  if (request.inputs.size() == 1) return read_stored_profile(request.inputs[0], {request.options.labels, request.time});
  profile::MergedProfile sum;
  for (const std::string& input : request.inputs) {
    try {
      sum.add(read_stored_profile(input, {request.options.labels, request.time}));
    } catch (const profile::FormatError& error) {
      throw Error(formatted("cannot merge {} with the profiles before it: {}", input, error.what()));
    }
  }
  return sum.take();
}

std::string names_of(const std::vector<std::string>& inputs) {
  std::vector<std::string> names;
  names.reserve(inputs.size());
  for (const std::string& input : inputs) names.push_back(input == "-" ? "standard input" : input);
  return joined(names, ", ");
}

std::string converted(const ConvertRequest& request) {
  profile::Profile profile = read_inputs(request);
  if (profile.sample_count() == 0)
    print(stderr, "hearth: {} {} no samples\n", names_of(request.inputs), request.inputs.size() > 1 ? "have" : "has");
  if (request.names.any()) profile = profile::with_name_style(profile, request.names);
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
    options.opens_tree = format.opens_tree;
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
