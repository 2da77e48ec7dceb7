// The tree in a page, from which the page makes its views: merges nothing that a reader may want to see separately.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "profile/formats/formats.h"
#include "profile/model/profile.h"
#include "profile/page/tree_frames.h"

namespace hearth::profile {

// Columns are varints, nearly all of one or two bytes: as numbers, those of large profiles would take several times as
// much memory.
struct PageTree {
  std::vector<TreeFrame> frames;  // in their order; some may be unused
  std::vector<uint32_t> uses;     // by frame: number of its nodes

  // The nodes in preorder, without the root. Siblings are sorted by frame, no two equal.
  size_t nodes = 0;
  std::string levels_up;  // from the previous node to the parent: 0 for its child, and for the first node
  std::string frame;
  std::string row_count;  // rows of the node itself

  // The rows by node; those of a node by label set, then time, no two equal in both.
  size_t rows = 0;
  std::string labels;                   // indexes into label_sets
  std::string time;                     // 0: kNoTime, else step + 1
  std::vector<std::string> values;      // by value type
  std::vector<std::string> deviations;  // likewise (sampling_variance.h), empty if unknown
  std::vector<bool> has_deviations;     // by value type

  std::vector<LabelSet> label_sets;  // ascending; the first is "no labels"
  TimeStep time_steps = 0;           // largest step of a row + 1; 0: no times
  int64_t time_step_ns = 0;
};

// Applies include and exclude. Leaves out stacks without weight. Throws FormatError for negative values (a difference
// of profiles), which a page cannot show.
PageTree page_tree(const Profile& profile, const WriteOptions& options);

}  // namespace hearth::profile
