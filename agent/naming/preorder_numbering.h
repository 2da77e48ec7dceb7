// Numbers the nodes of a tree of stacks in preorder: stacks with the same outer frames get neighbouring numbers. A
// profile that is built in this order has them side by side in memory, which saves most of the time for a profile of a
// million stacks, and its siblings need no sorting for trees that show them.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "capture/store/stack_tree.h"

namespace hearth::naming {

struct SiblingOrder {
  std::vector<uint32_t> rank;  // by frame number: siblings ascend by it, and siblings of equal rank are merged
  // True if the node `inner`, called by `outer`, is shown in its place. Empty: no node replaces its caller.
  std::function<bool(uint32_t outer, uint32_t inner)> is_one_call;
};

// Called once for each number from 1 on, with one of its nodes.
using VisitNumber = std::function<void(uint32_t parent_number, uint32_t id)>;

// Returns the preorder number by node of the tree. Merged siblings share one; the root has 0. Values for ids that are
// no node, or not `used`, are meaningless. `used`: by node, with the parent of each used node used.
std::vector<uint32_t> preorder_index(const capture::StackTree& tree, const std::vector<bool>& used,
                                     const SiblingOrder& order, const VisitNumber& visit = {});

}  // namespace hearth::naming
