// Compares stored profiles.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "launcher/commands/time_words.h"
#include "launcher/text/text_style.h"
#include "profile/analysis/difference.h"
#include "profile/formats/name_style.h"

namespace hearth::launcher {

enum class DiffFormat { kText, kPage, kJson, kCollapsed };

struct DiffRequest {
  std::vector<std::string> inputs[2];  // before, after: one or several runs; one may be "-": standard input
  std::string output;                  // empty: standard output
  DiffFormat format = DiffFormat::kText;
  profile::DifferenceOptions options;
  profile::NameStyle names;
  TimeWords time;
  std::optional<double> fail_above;  // percent
};

// False if a method grew by more than `fail_above` and beyond sampling noise; standard error then names it. Throws
// Error.
bool run_diff_command(const DiffRequest& request);

// For people: the compared profiles, and tables of at most `limit` (0: 20) methods with a changed self or total value.
std::string diff_text(const profile::Difference& difference, const profile::DifferenceOptions& options,
                      const TextStyle& style);

}  // namespace hearth::launcher
