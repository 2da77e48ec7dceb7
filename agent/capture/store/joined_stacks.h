// One stack of two threads' stacks. Signal safe.
#pragma once

#include <cstdint>

#include "capture/frame.h"
#include "capture/store/stack_tree.h"

namespace hearth::capture {

// Returns the stack of all frames of `outer`, then `border`, then all of `inner`; StackTree::kFull: no memory, or
// `outer` is. A tree with many stacks gets no more that are long, as other events need theirs: `inner` is [truncated].
// `space`: for the frames of `inner`, of which further ones are left out.
inline uint32_t joined_stacks(StackTree* tree, uint32_t outer, Frame border, uint32_t inner, Frame* space,
                              uint32_t space_frames) {
  constexpr uint32_t kMostIds = 1 << 23;
  if (outer == StackTree::kFull) return outer;
  uint32_t count = 0;
  if (inner == StackTree::kFull) inner = StackTree::kRoot;
  if (tree->id_end() > kMostIds) {
    space[count++] = Frame::marker(Marker::kTruncated);
    inner = StackTree::kRoot;
  }
  for (uint32_t node = inner; node != StackTree::kRoot && count < space_frames; node = tree->parent(node))
    space[count++] = tree->frame(node);
  uint32_t stack = tree->child(outer, border);
  while (count > 0 && stack != StackTree::kFull) stack = tree->child(stack, space[--count]);
  return stack;
}

}  // namespace hearth::capture
