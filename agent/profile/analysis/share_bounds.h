// How far shares of an allocation profile may be from the truth: of many objects only some were sampled.
#pragma once

#include <cstddef>
#include <cstdint>

#include "profile/analysis/call_tree.h"

namespace hearth::profile {

// Of a normal distribution, to either side.
inline constexpr double kDeviationsOf95Percent = 1.96;

class ShareBounds {
 public:
  ShareBounds() = default;
  // Of the tree's values of one type.
  ShareBounds(const CallTree& tree, size_t value);

  bool known() const { return known_; }

  // Half the width of the interval around part / whole that holds the true share in 95 of 100 profiles. `variance`: the
  // sum over the part's nodes (CallTree::variance).
  double half_width(int64_t part, double variance) const;

 private:
  bool known_ = false;
  double whole_ = 0;
  double whole_variance_ = 0;
};

}  // namespace hearth::profile
