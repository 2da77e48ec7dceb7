#include "events/lock/lock_weight.h"

#include <gtest/gtest.h>

#include <cmath>

namespace hearth::events {
namespace {

TEST(LockWeight, WaitsAsLongAsTheIntervalAreExact) {
  for (int64_t time : {10'000, 10'001, 1'000'000'000}) {
    EXPECT_EQ(weight_of_wait(time, 10'000, 7).delay_ns, time);
    EXPECT_EQ(weight_of_wait(time, 10'000, 7).contentions, 1);
  }
  EXPECT_EQ(weight_of_wait(1, 0, 7).delay_ns, 1);
  EXPECT_EQ(weight_of_wait(1, 0, 7).contentions, 1);
}

// Seeds are clock readings, and waits end at regular times.
TEST(LockWeight, ShorterOnesAreRightOnAverage) {
  constexpr int kWaits = 2'000'000;
  constexpr int64_t kInterval = 10'000;
  for (int64_t time : {100, 2'500, 9'000}) {
    double delay = 0, contentions = 0;
    for (int i = 0; i < kWaits; i++) {
      LockWeight weight = weight_of_wait(time, kInterval, 1'700'000'000'000 + i * (time + 300));
      delay += static_cast<double>(weight.delay_ns);
      contentions += weight.contentions;
    }
    // Five standard deviations.
    double most = 5 * std::sqrt((kInterval / static_cast<double>(time) - 1) / kWaits);
    EXPECT_NEAR(delay / kWaits / static_cast<double>(time), 1, most) << time;
    EXPECT_NEAR(contentions / kWaits, 1, most) << time;
  }
}

}  // namespace
}  // namespace hearth::events
