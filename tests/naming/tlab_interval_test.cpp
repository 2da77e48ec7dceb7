#include "naming/tlab_interval.h"

#include <gtest/gtest.h>

namespace hearth::naming {
namespace {

using capture::AllocationPlace;
using capture::Frame;
using capture::StackTree;

class TlabStep : public ::testing::Test {
 protected:
  void add(AllocationPlace place, int64_t bytes, uint16_t event = 1) {
    capture::Sample sample{};
    sample.stack = tree_.child(StackTree::kRoot, Frame::allocated(1, place));
    sample.event = event;
    sample.weight = bytes;
    counts_.add(sample);
  }
  int64_t step(int64_t asked) const { return tlab_effective_interval(tree_, counts_, 1, asked); }

  StackTree tree_{1 << 10};
  session::SampleCounts counts_;
};

TEST_F(TlabStep, IsTheWeightOfASampleInATlab) {
  add(AllocationPlace::kInTlab, 1000);
  add(AllocationPlace::kInTlab, 3000);
  add(AllocationPlace::kOutside, 1'000'000);
  add(AllocationPlace::kInTlab, 1'000'000, 0);
  EXPECT_EQ(step(500), 2000);
}

TEST_F(TlabStep, IsAtLeastTheRequestedInterval) {
  EXPECT_EQ(step(500), 500);
  add(AllocationPlace::kInTlab, 100);
  EXPECT_EQ(step(500), 500);
}

}  // namespace
}  // namespace hearth::naming
