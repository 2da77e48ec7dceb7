// Test mode of the walkers: walks every sample in three ways and compares the results.
#pragma once

#include <atomic>
#include <cstdint>

#include "capture/store/stack_tree.h"
#include "capture/unwind/stack_walk.h"

namespace hearth::capture {

class Comparison {
 public:
  static constexpr uint32_t kMostExamples = 512;

  // Two stacks that differ but should be equal, as nodes of the tree.
  struct Example {
    uint32_t ours;
    uint32_t theirs;
  };

  // Walks the same stack again, once without the cache and once with AsyncGetCallTrace, with `scratch` as memory.
  // `stack`: the result of the first walk. Signal safe.
  void compare(const WalkPlan& plan, WalkStart start, uint32_t stack, WalkScratch* scratch, RootCache* roots,
               StackTree* tree);

  struct Counts {
    uint64_t compared = 0;  // samples with Java frames in both
    // Of these, a difference in the innermost frame or in the frame of a method that is being entered above it:
    // AsyncGetCallTrace takes a frame in a call for an interrupted one, and an interpreter's frame in its last saved
    // state.
    uint64_t finer = 0;
    uint64_t differ = 0;         // of these: other differences
    uint64_t cache_differs = 0;  // of all: the cached stack differed from that of a complete walk
    uint64_t agct_failed = 0;    // only our walker found Java frames
  };
  Counts counts() const;
  uint32_t example_count() const;
  Example example(uint32_t index) const { return examples_[index]; }

 private:
  void keep(uint32_t ours, const Frame* theirs, uint32_t count, StackTree* tree);

  std::atomic<uint64_t> compared_{0};
  std::atomic<uint64_t> finer_{0};
  std::atomic<uint64_t> differ_{0};
  std::atomic<uint64_t> cache_differs_{0};
  std::atomic<uint64_t> agct_failed_{0};
  std::atomic<uint32_t> next_example_{0};
  Example examples_[kMostExamples] = {};
};

}  // namespace hearth::capture
