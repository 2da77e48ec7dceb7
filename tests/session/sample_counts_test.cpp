#include "session/sample_counts.h"

#include <gtest/gtest.h>

namespace hearth::session {
namespace {

capture::Sample sample(uint32_t stack, int64_t weight) {
  capture::Sample sample{};
  sample.stack = stack;
  sample.weight = weight;
  sample.objects = 0.5;
  return sample;
}

TEST(SampleCounts, SinceNothingIsAll) {
  SampleCounts counts;
  counts.add(sample(3, 10));
  auto all = counts.since({});
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].key.stack, 3U);
  EXPECT_EQ(all[0].count.weight, 10);
}

TEST(SampleCounts, SinceAMomentIsWhatCameAfterIt) {
  SampleCounts counts;
  counts.add(sample(1, 10));
  counts.add(sample(2, 20), 2);
  auto before = counts.counts();
  EXPECT_TRUE(counts.since(before).empty());
  counts.add(sample(2, 5));
  counts.add(sample(3, 7));
  auto since = counts.since(before);
  ASSERT_EQ(since.size(), 2U);
  EXPECT_EQ(since[0].key.stack, 2U);
  EXPECT_EQ(since[0].count.samples, 1);
  EXPECT_EQ(since[0].count.weight, 5);
  EXPECT_DOUBLE_EQ(since[0].count.objects, 0.5);
  EXPECT_EQ(since[1].key.stack, 3U);
  EXPECT_EQ(since[1].count.weight, 7);
}

TEST(SampleCounts, WhatHasNoRoomIsRefusedAndTheRestStays) {
  SampleCounts counts(1);
  EXPECT_TRUE(counts.add(sample(1, 10)));
  EXPECT_FALSE(counts.add(sample(2, 10)));
  EXPECT_TRUE(counts.add(sample(1, 10)));
  EXPECT_EQ(counts.all()[0].count.weight, 20);
}

}  // namespace
}  // namespace hearth::session
