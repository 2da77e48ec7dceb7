#include "events/lock/wait_interval.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "events/lock/lock_weight.h"

namespace hearth::events {
namespace {

constexpr uint64_t kSecondNs = 1'000'000'000;
constexpr int64_t kInterval = 10'000'000;

// Takes samples of a second and returns the interval at its end.
int64_t after_second_with(int samples, uint64_t second, WaitInterval* waits) {
  for (int i = 0; i < samples; i++) {
    waits->at(second * kSecondNs);
    waits->sampled();
  }
  return waits->at(second * kSecondNs);
}

TEST(WaitInterval, StaysWhileSamplesAreFew) {
  WaitInterval waits(64);
  waits.start(kInterval);
  for (uint64_t second = 1; second < 10; second++) EXPECT_EQ(after_second_with(63, second, &waits), kInterval);
}

TEST(WaitInterval, DoublesWithManySamplesAndHalvesWithFew) {
  WaitInterval waits(64);
  waits.start(kInterval);
  EXPECT_EQ(after_second_with(64, 1, &waits), 2 * kInterval);
  EXPECT_EQ(after_second_with(72, 2, &waits), 8 * kInterval) << "64, and 8 more";
  EXPECT_EQ(after_second_with(40, 3, &waits), 8 * kInterval) << "it is right";
  EXPECT_EQ(after_second_with(10, 4, &waits), 8 * kInterval) << "the second has begun with it";
  EXPECT_EQ(after_second_with(10, 5, &waits), 4 * kInterval);
}

TEST(WaitInterval, OfAFloodOfLongWaitsSettles) {
  WaitInterval waits(64);
  waits.start(kInterval);
  constexpr int64_t kWait = kSecondNs;
  constexpr int kWaits = 10'000;
  int64_t weight = 0, samples = 0;
  std::srand(1);
  for (uint64_t second = 1; second <= 50; second++) {
    for (int i = 0; i < kWaits; i++) {
      int64_t interval = waits.at(second * kSecondNs + static_cast<uint64_t>(i));
      auto threshold =
          static_cast<int64_t>(static_cast<double>(std::rand()) / RAND_MAX * static_cast<double>(interval));
      LockWeight one = weight_above(kWait, interval, threshold);
      if (one.contentions == 0) continue;
      waits.sampled();
      samples++;
      weight += one.delay_ns;
    }
  }
  constexpr double kTruth = 50.0 * kWaits * kWait;
  EXPECT_NEAR(static_cast<double>(weight) / kTruth, 1, 0.1);
  EXPECT_LT(samples, 50 * 2 * 64);
}

}  // namespace
}  // namespace hearth::events
