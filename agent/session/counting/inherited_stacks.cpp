#include "session/counting/inherited_stacks.h"

#include <vector>

namespace hearth::session {

using capture::Frame;
using capture::StackTree;

// Numbers of names are those of a session.
Frame InheritedStacks::frame_of(uint32_t stack) {
  Frame frame = from_.tree.frame(stack);
  bool has_name = frame.kind() == capture::RawKind::kAllocated || frame.kind() == capture::RawKind::kLock;
  if (!has_name) return frame;
  constexpr uint64_t kNumber = UINT32_MAX;
  uint32_t number = to_->classes.number_of(from_.classes.name(static_cast<uint32_t>(frame.value & kNumber)));
  frame.value = (frame.value & ~kNumber) | number;
  return frame;
}

uint32_t InheritedStacks::of(uint32_t stack) {
  std::vector<uint32_t> path;
  uint32_t node = StackTree::kRoot;
  for (uint32_t at = stack; at != StackTree::kRoot; at = from_.tree.parent(at)) {
    auto found = known_.find(at);
    if (found != known_.end()) {
      node = found->second;
      break;
    }
    path.push_back(at);
  }
  to_->tree.grow();
  for (; !path.empty() && node != StackTree::kFull; path.pop_back()) {
    node = to_->tree.child(node, frame_of(path.back()));
    known_[path.back()] = node;
  }
  return node;
}

}  // namespace hearth::session
