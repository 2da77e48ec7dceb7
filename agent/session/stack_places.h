// Stacks in such an order that those with the same outer frames come together: what is made of them in it then lies
// side by side in memory, which is most of the time that a profile of a million stacks takes.
#pragma once

#include <cstdint>
#include <vector>

#include "capture/stack_tree.h"

namespace hearth::session {

// By node of the tree: its place in preorder. The root's is 0, as is that of what is no node.
std::vector<uint32_t> stack_places(const capture::StackTree& tree);

}  // namespace hearth::session
