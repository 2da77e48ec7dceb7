// The tree that a page carries and makes its views of: nothing is merged that a reader may want to tell apart.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "profile/formats/formats.h"
#include "profile/model/profile.h"
#include "profile/page/tree_frames.h"

namespace hearth::profile {

// Its columns are varints, nearly all of a byte or two: with large profiles the numbers would take several times as
// much.
struct BaseTree {
  std::vector<TreeFrame> frames;  // in their order; some may be of no node
  std::vector<uint32_t> uses;     // by frame, by how many nodes

  // The nodes in preorder, root not included. Siblings ascend with their frames, no two of which are equal.
  size_t nodes = 0;
  std::string levels_up;  // from the node before to the parent: 0 for its child, and for the first node
  std::string frame;
  std::string row_count;  // what the node has itself

  // The rows, node by node; those of one node by label set, then time, no two equal in both.
  size_t rows = 0;
  std::string labels;                   // of label_sets
  std::string time;                     // 0 for kNoTime, else from 1 on
  std::vector<std::string> values;      // by value type
  std::vector<std::string> deviations;  // the same (of sampling_variance.h), empty where they are not known
  std::vector<bool> has_deviations;     // by value type

  std::vector<LabelSet> label_sets;  // ascending; the first is "no labels"
  TimeStep time_steps = 0;           // one more than the last that a row has; 0: none has one
  int64_t time_step_ns = 0;
};

// Applies include and exclude. Stacks without weight are left out. Throws FormatError on negative values (a difference
// of profiles), which a page cannot show.
BaseTree base_tree(const Profile& profile, const WriteOptions& options);

}  // namespace hearth::profile
