// Says what changed between two stored profiles.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "launcher/text/text_style.h"
#include "profile/analysis/difference.h"
#include "profile/formats/respell.h"

namespace hearth::launcher {

enum class DiffFormat { kText, kPage, kJson, kCollapsed };

struct DiffRequest {
  std::vector<std::string> inputs[2];  // before, after: one or several runs; one may be "-": standard input
  std::string output;                  // empty: standard output
  DiffFormat format = DiffFormat::kText;
  profile::DifferenceOptions options;
  profile::Respelling names;
  std::optional<double> fail_above;  // percent
};

// False where a method grew by more than `fail_above` and by more than chance; standard error then says which. Throws
// Error.
bool run_diff_command(const DiffRequest& request);

// For people: what was compared, and tables of at most `limit` (20 for 0) methods whose own value or total changed.
std::string diff_text(const profile::Difference& difference, const profile::DifferenceOptions& options,
                      const TextStyle& style);

}  // namespace hearth::launcher
