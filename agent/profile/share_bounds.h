// How far shares of an allocation profile may be from the truth: of many objects only some were sampled.
#pragma once

#include <cstdint>
#include <vector>

#include "profile/call_tree.h"
#include "profile/profile.h"

namespace hearth::profile {

// An object of s bytes was met with the chance p = 1 - exp(-s / interval), 1 where each was met, and where of k that
// were met one was kept, p is 1 / k of that. It stands for 1 / p of its like. So n of them met give objects with a
// variance of n (1 - p) / p^2, and s^2 as much for bytes. What a stack allocates is taken to be of its mean size.
class ShareBounds {
 public:
  ShareBounds() = default;
  // Of the values of `tree`, made of `profile`. Nothing is known of values other than sampled objects and bytes.
  ShareBounds(const Profile& profile, const CallTree& tree, size_t value);

  bool known() const { return !variances_.empty(); }

  // By node, of what it has itself; they add up. Empty where nothing is known.
  const std::vector<double>& variances() const { return variances_; }

  // Half the width of the interval around part / whole that holds the true share in 95 of 100 profiles. `variance`: the
  // sum over the part's nodes.
  double half_width(int64_t part, double variance) const;

 private:
  std::vector<double> variances_;
  double whole_ = 0;
  double whole_variance_ = 0;
};

}  // namespace hearth::profile
