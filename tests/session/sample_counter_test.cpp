#include "session/counting/sample_counter.h"

#include <gtest/gtest.h>

namespace hearth::session {
namespace {

class SampleCounterTest : public testing::Test {
 protected:
  static capture::Sample sample(uint32_t stack, int64_t weight, uint16_t event = 0) {
    capture::Sample one{};
    one.stack = stack;
    one.weight = weight;
    one.event = event;
    one.objects = 2;
    return one;
  }
  static size_t keys_of(const SampleCounter& counter) {
    return counter.read([](const SampleCounts& counts) { return counts.all().size(); });
  }

  capture::StackTree tree_{1 << 10};
  capture::SampleRing ring_{16};
  capture::RecorderCounters recorded_;
};

TEST_F(SampleCounterTest, CountsTheSamplesOfTheRing) {
  SampleCounter counter(&ring_, &tree_, &recorded_);
  ASSERT_TRUE(ring_.push(sample(1, 10)));
  ASSERT_TRUE(ring_.push(sample(1, 20)));
  EXPECT_EQ(keys_of(counter), 0u);
  counter.drain();
  counter.read([](const SampleCounts& counts) {
    ASSERT_EQ(counts.all().size(), 1u);
    EXPECT_EQ(counts.all()[0].count.samples, 2);
    EXPECT_EQ(counts.all()[0].count.weight, 30);
  });
  EXPECT_EQ(counter.lost_samples(), 0u);
}

TEST_F(SampleCounterTest, CountsRepeatedSamplesOnceEach) {
  SampleCounter counter(&ring_, &tree_, &recorded_);
  counter.add_repeated(sample(1, 50), 5);
  counter.read([](const SampleCounts& counts) {
    ASSERT_EQ(counts.all().size(), 1u);
    EXPECT_EQ(counts.all()[0].count.samples, 5);
    EXPECT_EQ(counts.all()[0].count.weight, 50);
  });
}

TEST_F(SampleCounterTest, ASampleWithoutSpaceIsLostWithItsWeight) {
  SampleCounter counter(&ring_, &tree_, &recorded_, 1);
  ASSERT_TRUE(ring_.push(sample(1, 10)));
  ASSERT_TRUE(ring_.push(sample(2, 30, 1)));
  counter.drain();
  counter.add_repeated(sample(3, 40, 1), 4);
  EXPECT_EQ(keys_of(counter), 1u);
  EXPECT_EQ(counter.dropped_samples(), 5u);
  EXPECT_EQ(counter.lost_weight(0), 0);
  EXPECT_EQ(counter.lost_weight(1), 70);
}

TEST_F(SampleCounterTest, AddsTheRecordersLossesToItsOwn) {
  SampleCounter counter(&ring_, &tree_, &recorded_, 1);
  recorded_.lost = 3;
  recorded_.lost_weight[1] = 100;
  recorded_.lost_objects[1] = 7;
  counter.add_repeated(sample(1, 10), 1);
  counter.add_repeated(sample(2, 30, 1), 1);
  std::vector<SampleCounts::Count> lost = counter.lost(2);
  ASSERT_EQ(lost.size(), 2u);
  EXPECT_EQ(lost[0].samples, 4);
  EXPECT_EQ(lost[0].weight, 0);
  EXPECT_EQ(lost[1].samples, 0);
  EXPECT_EQ(lost[1].weight, 130);
  EXPECT_DOUBLE_EQ(lost[1].objects, 9);
  EXPECT_EQ(counter.dropped_samples(), 1u);
}

TEST_F(SampleCounterTest, SumsUpTheBytesOfTheAllocationEvent) {
  SampleCounter counter(&ring_, &tree_, &recorded_);
  counter.set_allocation_event(1);
  ASSERT_TRUE(ring_.push(sample(1, 10, 0)));
  ASSERT_TRUE(ring_.push(sample(1, 20, 1)));
  ASSERT_TRUE(ring_.push(sample(2, 5, 1)));
  counter.drain();
  EXPECT_EQ(counter.sampled_bytes(), 25);
}

}  // namespace
}  // namespace hearth::session
