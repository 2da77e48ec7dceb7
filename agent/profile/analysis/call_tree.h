// What people read: the profile's stacks after include= and exclude=, frames that read the same merged, in a fixed
// order. What a page carries is finer (base_tree.h).
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

  // The nodes in preorder, root not included, as columns. Siblings are ordered by name, so equal profiles give equal
  // trees.
  std::vector<uint32_t>
      depth;  // 1 for children of the root; a node's parent is the last one before it that is less deep
  std::vector<uint32_t> frame;
  std::vector<std::vector<int64_t>> self;  // by value type, then node
  // How much chance there is in those, in squares of their unit; for a value type of which that is not known there are
  // no nodes.
  std::vector<std::vector<double>> variance;

  size_t size() const { return depth.size(); }
  int64_t total(size_t value_type) const;  // of the whole tree
};

// How much chance there is in one value of a sample, by all its values; empty where that is not known.
using VarianceOfValue = std::function<double(const int64_t* values)>;

// Frames are merged when frame_text() spells them alike under the same parent: without `annotate` one method is one
// frame however it was compiled, and has the kind that weighs most (by the last value type); with `lines` one line of a
// method is. Nodes whose stacks have no weight are left out.
CallTree call_tree(const Profile& profile, const WriteOptions& options);  // with variances by sampling_variance.h
CallTree call_tree(const Profile& profile, const WriteOptions& options,
                   const std::vector<VarianceOfValue>& variances);  // by value type

}  // namespace hearth::profile
