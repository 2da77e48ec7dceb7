// The test mode of the walkers: every sample is walked three ways, and what they say is held against each other.
#pragma once

#include <atomic>
#include <cstdint>

#include "capture/store/stack_tree.h"
#include "capture/unwind/stack_walk.h"

namespace hearth::capture {

class Comparison {
 public:
  static constexpr uint32_t kMostExamples = 512;

  // Two stacks that should have been one, as nodes of the tree.
  struct Example {
    uint32_t ours;
    uint32_t theirs;
  };

  // Walks the same place again, without the memory and with AsyncGetCallTrace, writing on `scratch`. `stack`: where
  // the walk that counts is stored. Signal safe.
  void compare(const WalkPlan& plan, WalkStart start, uint32_t stack, WalkScratch* scratch, RootMemory* roots,
               StackTree* tree);

  struct Counts {
    uint64_t compared = 0;  // samples in which both found Java frames
    // Of these, the innermost frame, or that of the method being entered above it, is told differently:
    // AsyncGetCallTrace takes a frame in a call for an interrupted one, and an interpreter's frame as it was last
    // saved.
    uint64_t finer = 0;
    uint64_t differ = 0;          // of these: otherwise
    uint64_t memory_differs = 0;  // of all: what was remembered was not what a whole walk found
    uint64_t agct_failed = 0;     // ours alone found Java frames
  };
  Counts counts() const;
  uint32_t example_count() const;
  Example example(uint32_t index) const { return examples_[index]; }

 private:
  void keep(uint32_t ours, const Frame* theirs, uint32_t count, StackTree* tree);

  std::atomic<uint64_t> compared_{0};
  std::atomic<uint64_t> finer_{0};
  std::atomic<uint64_t> differ_{0};
  std::atomic<uint64_t> memory_differs_{0};
  std::atomic<uint64_t> agct_failed_{0};
  std::atomic<uint32_t> next_example_{0};
  Example examples_[kMostExamples] = {};
};

}  // namespace hearth::capture
