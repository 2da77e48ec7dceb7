// Stacks of one session as those of another, which goes on with the memory that the first one followed.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "session/capture_state.h"

namespace hearth::session {

class InheritedStacks {
 public:
  // Both outlive it. Nothing writes to `from` any more.
  InheritedStacks(const CaptureState& from, CaptureState* to) : from_(from), to_(to) {}

  // The node of the same stack; StackTree::kFull: there is no space for it.
  uint32_t of(uint32_t stack);

 private:
  capture::Frame frame_of(uint32_t stack);

  const CaptureState& from_;
  CaptureState* to_;
  std::unordered_map<uint32_t, uint32_t> known_;
};

}  // namespace hearth::session
