// Stacks of parts of others. Signal safe.
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

// Returns the stack from the virtual thread's marker inwards; `stack` itself if it has none, or more frames than
// `space`.
inline uint32_t without_carrier(StackTree* tree, uint32_t stack, Frame* space, uint32_t space_frames) {
  if (stack == StackTree::kFull) return stack;
  uint32_t count = 0;
  for (uint32_t node = stack; node != StackTree::kRoot && count < space_frames; node = tree->parent(node)) {
    Frame frame = tree->frame(node);
    space[count++] = frame;
    if (frame.kind() != RawKind::kVirtualThread && !(frame == Frame::marker(Marker::kVirtualThread))) continue;
    uint32_t own = StackTree::kRoot;
    while (count > 0 && own != StackTree::kFull) own = tree->child(own, space[--count]);
    return own;
  }
  return stack;
}

}  // namespace hearth::capture
