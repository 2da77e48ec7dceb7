#include "profile/analysis/share_bounds.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace hearth::profile {

ShareBounds::ShareBounds(const CallTree& tree, size_t value)
    : known_(!tree.variance[value].empty()),
      whole_(static_cast<double>(tree.total(value))),
      whole_variance_(std::accumulate(tree.variance[value].begin(), tree.variance[value].end(), 0.0)) {}

double ShareBounds::half_width(int64_t part, double variance) const {
  if (whole_ <= 0) return 0;
  double share = static_cast<double>(part) / whole_;
  double rest = std::max(whole_variance_ - variance, 0.0);
  double of_share = (1 - share) * (1 - share) * variance + share * share * rest;
  return kDeviationsOf95Percent * std::sqrt(of_share) / whole_;
}

}  // namespace hearth::profile
