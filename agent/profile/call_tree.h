// What people look at: the profile's stacks after include= and exclude=, frames that read the same merged, in a fixed
// order.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "profile/formats.h"
#include "profile/profile.h"

namespace hearth::profile {

struct CallTree {
  struct Frame {
    std::string name;  // valid UTF-8, no suffix
    FrameKind kind;
  };
  std::vector<Frame> frames;  // by name, then kind

  // The nodes in preorder, root not included, as columns. Siblings are ordered by name, so equal profiles give equal
  // trees.
  std::vector<uint32_t>
      depth;  // 1 for children of the root; a node's parent is the last one before it that is less deep
  std::vector<uint32_t> frame;
  std::vector<std::vector<int64_t>> self;  // by value type, then node
  // How much chance there is in those (sampling_variance.h), in squares of their unit; for a value type of which that
  // is not known there are no nodes.
  std::vector<std::vector<int64_t>> variance;

  // Of nodes that merge frames of several kinds: what each kind holds, callees included, of the last value type. By
  // node, then kind.
  struct KindPart {
    uint32_t node;
    FrameKind kind;
    int64_t total;
  };
  std::vector<KindPart> kind_parts;

  size_t size() const { return depth.size(); }
  int64_t total(size_t value_type) const;  // of the whole tree
};

// Frames are merged when frame_text() spells them alike under the same parent: without `annotate` one method is one
// frame however it was compiled, and has the kind that weighs most (by the last value type); with `lines` one line of a
// method is. Nodes whose stacks have no weight are left out.
CallTree call_tree(const Profile& profile, const WriteOptions& options);

// The same tree with the nodes below `percent` of the total (of value type `lens`) merged into one marker frame
// [below minwidth] a parent, so that sums stay right.
CallTree fold_small_nodes(const CallTree& tree, double percent, size_t lens);

}  // namespace hearth::profile
