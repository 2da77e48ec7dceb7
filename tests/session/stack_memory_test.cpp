// A session's memory of stacks, and its bound.
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "capture/store/stack_tree.h"
#include "session/counting/sample_counts.h"

namespace hearth::session {
namespace {

using capture::Frame;
using capture::Sample;
using capture::StackTree;

Sample sample_of(uint32_t stack, int64_t weight = 1) {
  Sample sample{};
  sample.stack = stack;
  sample.weight = weight;
  return sample;
}

#ifndef __SANITIZE_ADDRESS__
size_t resident_bytes() {
  size_t total = 0;
  size_t resident = 0;
  std::ifstream("/proc/self/statm") >> total >> resident;
  return resident * static_cast<size_t>(sysconf(_SC_PAGESIZE));
}

// 30 frames that all share and 20 levels of two methods each, every way through them taken once, in no order.
TEST(StackCache, AMillionStacksOfFiftyFramesTakeAtMost120BytesEach) {
  constexpr uint32_t kShared = 30;
  constexpr uint32_t kLevels = 20;
  constexpr uint32_t kStacks = 1 << kLevels;
  constexpr uint32_t kOdd = 0x9e3779b1;
  size_t before = resident_bytes();
  StackTree tree(1 << 24);
  SampleCounts counts;
  uint32_t shared = StackTree::kRoot;
  for (uint32_t level = 0; level < kShared; level++) shared = tree.child(shared, Frame::java(level, 0));
  for (uint32_t i = 0; i < kStacks; i++) {
    uint32_t way = i * kOdd % kStacks;
    uint32_t node = shared;
    for (uint32_t level = 0; level < kLevels; level++)
      node = tree.child(node, Frame::java(100 + (way >> level & 1), 7));
    ASSERT_NE(node, StackTree::kFull);
    ASSERT_TRUE(counts.add(sample_of(node)));
    if (i % 1000 == 0) tree.grow();
  }
  size_t bytes = (resident_bytes() - before) / kStacks;
  ASSERT_EQ(counts.all().size(), kStacks);
  RecordProperty("bytes_a_stack", static_cast<int>(bytes));
  EXPECT_LE(bytes, 120u);
}
#endif

TEST(SampleCounts, AddsUpEqualSamples) {
  SampleCounts counts;
  ASSERT_TRUE(counts.add(sample_of(1, 10)));
  ASSERT_TRUE(counts.add(sample_of(2, 20)));
  ASSERT_TRUE(counts.add(sample_of(1, 30), 5));
  ASSERT_EQ(counts.all().size(), 2u);
  EXPECT_EQ(counts.all()[0].count.samples, 6);
  EXPECT_EQ(counts.all()[0].count.weight, 40);
  EXPECT_EQ(counts.all()[1].count.weight, 20);
}

TEST(SampleCounts, TakesNoMoreKeysThanItMay) {
  SampleCounts counts(3);
  for (uint32_t stack = 0; stack < 3; stack++) ASSERT_TRUE(counts.add(sample_of(stack)));
  EXPECT_FALSE(counts.add(sample_of(3)));
  EXPECT_TRUE(counts.add(sample_of(2)));
  EXPECT_EQ(counts.all().size(), 3u);
}

}  // namespace
}  // namespace hearth::session
