#include "capture/store/sample_ring.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace hearth::capture {
namespace {

Sample weighing(int64_t weight) {
  return {0, weight, 1, 1, 0, 0, 0, 0};
}

TEST(SampleRing, GivesBackInOrder) {
  SampleRing ring(4);
  Sample sample;
  EXPECT_FALSE(ring.pop(&sample));
  for (int64_t i = 0; i < 3; i++) EXPECT_TRUE(ring.push(weighing(i)));
  for (int64_t i = 0; i < 3; i++) {
    ASSERT_TRUE(ring.pop(&sample));
    EXPECT_EQ(sample.weight, i);
  }
  EXPECT_FALSE(ring.pop(&sample));
}

TEST(SampleRing, RefusesWhenFullAndTakesAgainAfter) {
  SampleRing ring(4);
  for (int i = 0; i < 4; i++) EXPECT_TRUE(ring.push(weighing(i)));
  EXPECT_FALSE(ring.push(weighing(4)));
  Sample sample;
  ASSERT_TRUE(ring.pop(&sample));
  EXPECT_TRUE(ring.push(weighing(5)));
}

TEST(SampleRing, LosesNoWeightAmongManyWriters) {
  constexpr int kWriters = 8;
  constexpr int64_t kEach = 50'000;
  SampleRing ring(256);
  std::atomic<int64_t> refused{0};
  std::atomic<int> running{kWriters};
  std::vector<std::thread> writers;
  writers.reserve(kWriters);
  for (int w = 0; w < kWriters; w++) {
    writers.emplace_back([&] {
      for (int64_t i = 0; i < kEach; i++) {
        if (!ring.push(weighing(1))) refused++;
      }
      running--;
    });
  }
  int64_t taken = 0;
  Sample sample;
  for (bool last = false; !last;) {
    last = running == 0;
    while (ring.pop(&sample)) taken += sample.weight;
  }
  for (auto& writer : writers) writer.join();
  EXPECT_EQ(taken + refused, kWriters * kEach);
}

TEST(SampleRing, ReportsItsSpace) {
  SampleRing ring(64);
  Sample sample{};
  EXPECT_TRUE(ring.has_space(16));
  for (int i = 0; i < 48; i++) ring.push(sample);
  EXPECT_TRUE(ring.has_space(15));
  EXPECT_FALSE(ring.has_space(16));
  ring.pop(&sample);
  EXPECT_TRUE(ring.has_space(16));
}

}  // namespace
}  // namespace hearth::capture
