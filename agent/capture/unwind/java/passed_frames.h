// Where a later walk of a stack may join this one. Signal safe.
#pragma once

#include <cstdint>

#include "capture/unwind/stack_walk.h"

namespace hearth::capture {

// The frames that a walk has passed, and the words that led from each to the next.
class PassedFrames {
 public:
  explicit PassedFrames(WalkScratch* scratch) : scratch_(scratch) {}

  // `frames`: how many the walk has pushed so far.
  void add(const Registers& at, uint32_t java_frames, bool fp_counts, uint32_t frames) {
    if (count_ == WalkScratch::kCheckpoints) {
      scratch_->checkpoints_overflow = true;
      return;
    }
    scratch_->checkpoints[count_++] = {{at, 0, java_frames, words_, fp_counts}, frames};
  }

  // Merges the following step into that of the previous frame.
  void drop_last() {
    if (count_ > 0) count_--;
  }

  // Records that the word at `address` led from the last frame to the next.
  void depend_on(uintptr_t address, uintptr_t value) {
    if (count_ == 0) return;
    if (words_ == WalkScratch::kWords) {
      scratch_->checkpoints_overflow = true;
      return;
    }
    scratch_->words[words_++] = {address, value};
    scratch_->checkpoints[count_ - 1].checkpoint.words = words_;
  }

  void clear() { count_ = words_ = 0; }
  uint32_t count() const { return count_; }

 private:
  WalkScratch* scratch_;
  uint32_t count_ = 0;
  uint32_t words_ = 0;
};

}  // namespace hearth::capture
