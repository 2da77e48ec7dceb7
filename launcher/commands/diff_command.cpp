#include "launcher/commands/diff_command.h"

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "base/files.h"
#include "base/formatted.h"
#include "launcher/commands/stored_profile.h"
#include "launcher/text/output_file.h"
#include "profile/codec/utf8.h"

namespace hearth::launcher {
namespace {

std::string name_of(const std::string& input, bool by_path) {
  if (input == "-") return "standard input";
  return by_path ? input : std::filesystem::path(input).filename().string();
}

// Uses file names without folders, unless both sides have the same.
void name_sides(const DiffRequest& request, profile::DifferenceOptions* options) {
  for (bool by_path : {false, true}) {
    for (size_t side : {0, 1}) {
      std::vector<std::string> names;
      for (const std::string& input : request.inputs[side]) names.push_back(name_of(input, by_path));
      options->names[side] = joined(names, ", ");
    }
    if (options->names[0] != options->names[1]) return;
  }
}

std::vector<profile::Profile> read_side(const DiffRequest& request, size_t side) {
  std::vector<profile::Profile> runs;
  for (const std::string& input : request.inputs[side]) {
    profile::Profile run = read_stored_profile(input, {request.options.write.labels, request.time});
    runs.push_back(request.names.any() ? profile::with_name_style(run, request.names) : std::move(run));
  }
  return runs;
}

profile::Difference compare(const DiffRequest& request, const profile::DifferenceOptions& options) {
  profile::Difference::Runs sides[2];
  std::vector<profile::Profile> before = read_side(request, 0), after = read_side(request, 1);
  for (const profile::Profile& run : before) sides[0].push_back(&run);
  for (const profile::Profile& run : after) sides[1].push_back(&run);
  try {
    return {sides[0], sides[1], options};
  } catch (const profile::FormatError& error) {
    throw Error(formatted("cannot compare {} and {}: {}", options.names[0], options.names[1], error.what()));
  }
}

std::string written(const profile::Difference& difference, const DiffRequest& request,
                    const profile::DifferenceOptions& options) {
  switch (request.format) {
    case DiffFormat::kPage:
      return write_difference_page(difference, options);
    case DiffFormat::kJson:
      return write_difference_json(difference, options);
    case DiffFormat::kCollapsed:
      return write_difference_collapsed(difference, options.write);
    case DiffFormat::kText:
      break;
  }
  return diff_text(difference, options, request.output.empty() ? style_of_stdout() : TextStyle{120, false});
}

// The largest growth among changes beyond sampling noise.
struct Growth {
  const profile::MethodChange* method = nullptr;
  profile::Change change;
};

Growth largest_growth(const std::vector<profile::MethodChange>& methods) {
  Growth largest;
  for (const profile::MethodChange& method : methods) {
    for (const profile::Change& change : {method.self_change, method.total_change}) {
      if (!change.is_noise() && change.change() > largest.change.change()) largest = {&method, change};
    }
  }
  return largest;
}

bool stays_below(const profile::Difference& difference, double limit) {
  std::vector<profile::MethodChange> methods = difference.methods();
  Growth growth = largest_growth(methods);
  bool is_share = difference.scale() == profile::Scale::kShares;
  double to_percent = 100 / (is_share ? 1 : static_cast<double>(difference.total(0)) / difference.divisor(0));
  double percent = growth.change.change() * to_percent;
  if (growth.method == nullptr || percent <= limit) return true;
  print(stderr, "hearth: {} grew by {:.1f} ± {:.1f} {}, more than {}\n", profile::shown_text(growth.method->name),
        percent, growth.change.bound * to_percent, is_share ? "percentage points" : "% of the total before", limit);
  return false;
}

}  // namespace

bool run_diff_command(const DiffRequest& request) {
  profile::DifferenceOptions options = request.options;
  name_sides(request, &options);
  profile::Difference difference = compare(request, options);
  std::string result = written(difference, request, options);
  if (request.output.empty())
    write_stdout(result);
  else
    replace_file(request.output, result);
  return !request.fail_above || stays_below(difference, *request.fail_above);
}

}  // namespace hearth::launcher
