#include "diff_command.h"

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "base/files.h"
#include "base/formatted.h"
#include "output_file.h"
#include "stored_profile.h"

namespace hearth::launcher {
namespace {

// The files' own names, unless these are the same.
void name_sides(const DiffRequest& request, profile::DifferenceOptions* options) {
  std::string files[2];
  for (size_t side : {0, 1}) {
    bool is_stdin = request.inputs[side] == "-";
    files[side] = is_stdin ? "standard input" : std::filesystem::path(request.inputs[side]).filename().string();
  }
  for (size_t side : {0, 1}) options->names[side] = files[0] == files[1] ? request.inputs[side] : files[side];
}

profile::Profile read_side(const DiffRequest& request, size_t side) {
  profile::Profile profile = read_stored_profile(request.inputs[side]);
  return request.names.any() ? profile::respelled(profile, request.names) : std::move(profile);
}

profile::Difference compare(const DiffRequest& request, const profile::DifferenceOptions& options) {
  profile::Profile before = read_side(request, 0), after = read_side(request, 1);
  try {
    return {before, after, options};
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

// Of what is more than chance, that which grew most.
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
  double to_percent = 100 / (is_share ? 1 : static_cast<double>(difference.total(0)));
  double percent = growth.change.change() * to_percent;
  if (growth.method == nullptr || percent <= limit) return true;
  print(stderr, "hearth: {} grew by {:.1f} ± {:.1f} {}, more than {}\n", growth.method->name, percent,
        growth.change.bound * to_percent, is_share ? "points of all" : "% of all that was before", limit);
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
