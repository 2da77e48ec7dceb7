// Sampling error of shares of an allocation profile, in which only some objects were sampled.
#pragma once

#include <cstddef>
#include <cstdint>

#include "profile/analysis/call_tree.h"

namespace hearth::profile {

// Two-sided quantile of the normal distribution.
inline constexpr double kDeviationsOf95Percent = 1.96;

class ShareBounds {
 public:
  ShareBounds() = default;
  // For the tree's values of one type.
  ShareBounds(const CallTree& tree, size_t value);

  bool known() const { return known_; }

  // Half the width of the 95 % confidence interval of part / whole. `variance`: the sum over the part's nodes
  // (CallTree::variance).
  double half_width(int64_t part, double variance) const;

 private:
  bool known_ = false;
  double whole_ = 0;
  double whole_variance_ = 0;
};

}  // namespace hearth::profile
