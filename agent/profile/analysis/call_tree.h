// The tree for people: the profile's stacks after include= and exclude=, with frames of equal text merged, in a fixed
// order. The tree of a page is finer (page_tree.h).
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "profile/formats/formats.h"
#include "profile/model/profile.h"
#include "profile/page/tree_frames.h"

namespace hearth::profile {

struct CallTree {
  std::vector<TreeFrame> frames;  // in their order

  // The nodes in preorder, without the root, as columns. Siblings are ordered by name, so equal profiles give equal
  // trees.
  std::vector<uint32_t>
      depth;  // 1 for children of the root; a node's parent is the last one before it that is less deep
  std::vector<uint32_t> frame;
  std::vector<std::vector<int64_t>> self;  // by value type, then node
  // Sampling variance of those values, in the square of their unit; no nodes for a value type without a known variance.
  std::vector<std::vector<double>> variance;

  size_t size() const { return depth.size(); }
  int64_t total(size_t value_type) const;  // of the whole tree
};

// Sampling variance of one value of a sample, from all its values; empty if unknown.
using VarianceOfValue = std::function<double(const int64_t* values)>;

// Merges frames of equal frame_text() under the same parent. Without `annotate` a method is one frame however it was
// compiled, with its heaviest kind (by the last value type); with `lines` each line of a method is one. Leaves out
// nodes whose stacks have no weight.
CallTree call_tree(const Profile& profile, const WriteOptions& options);  // with variances by sampling_variance.h
CallTree call_tree(const Profile& profile, const WriteOptions& options,
                   const std::vector<VarianceOfValue>& variances);  // by value type

}  // namespace hearth::profile
