// The tree that a page carries and makes its views of: nothing is merged that a reader may want to tell apart.
#pragma once

#include <cstdint>
#include <vector>

#include "profile/formats.h"
#include "profile/profile.h"
#include "profile/tree_frames.h"

namespace hearth::profile {

struct BaseTree {
  std::vector<TreeFrame> frames;  // in their order; some may be of no node

  // The nodes in preorder, root not included, as columns. Siblings ascend with their frames, no two of which are equal.
  std::vector<uint32_t> depth;  // 1 for children of the root
  std::vector<uint32_t> frame;
  std::vector<uint32_t> row_count;  // what the node has itself

  // The rows, node by node; those of one node by label set, then time, no two equal in both.
  std::vector<uint32_t> labels;  // of label_sets
  std::vector<TimeStep> time;
  std::vector<std::vector<int64_t>> values;   // by value type, then row
  std::vector<std::vector<double>> variance;  // the same (sampling_variance.h), no rows where it is not known

  std::vector<LabelSet> label_sets;  // ascending; the first is "no labels"
  int64_t time_step_ns = 0;

  size_t size() const { return depth.size(); }
  size_t rows() const { return labels.size(); }
  int64_t total(size_t value_type) const;
};

// Applies include and exclude. Stacks without weight are left out.
BaseTree base_tree(const Profile& profile, const WriteOptions& options);

}  // namespace hearth::profile
