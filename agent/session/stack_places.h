// Stacks in such an order that those with the same outer frames come together: what is made of them in it then lies
// side by side in memory, which is most of the time that a profile of a million stacks takes. And siblings come as
// trees show them, which then need no order made.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "capture/stack_tree.h"

namespace hearth::session {

struct SiblingOrder {
  std::vector<uint32_t> rank;  // by number of a frame: siblings ascend by it, and are one where it is equal
  // Whether of a node and one that it called only the second is shown, in the place of the first; none: of no two.
  std::function<bool(uint32_t outer, uint32_t inner)> is_one_call;
};

// By node of the tree: its place in preorder, the same of siblings that are one. The root's is 0; of what is no node,
// or none of those `used` (by node, with each its parent), it says nothing. `visit`, where it is any: is called for
// each place from 1 on, with a node that has it.
using VisitPlace = std::function<void(uint32_t parent_place, uint32_t id)>;
std::vector<uint32_t> stack_places(const capture::StackTree& tree, const std::vector<bool>& used,
                                   const SiblingOrder& order, const VisitPlace& visit = {});

}  // namespace hearth::session
