#include "naming/recording/rate_limit.h"

#include <gtest/gtest.h>

namespace hearth::naming {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

int taken(RateLimit* limit, int64_t from, int64_t until, int64_t step) {
  int count = 0;
  for (int64_t at = from; at < until; at += step) count += limit->take(at) ? 1 : 0;
  return count;
}

TEST(RateLimit, TakesTheLimitOfEachSecond) {
  RateLimit limit(50);
  int count = taken(&limit, kSecond, 11 * kSecond, kSecond / 1000);
  EXPECT_GE(count, 500);
  EXPECT_LE(count, 600);
}

TEST(RateLimit, ABurstHasTwiceTheLimitAtMost) {
  RateLimit limit(50);
  EXPECT_TRUE(limit.take(kSecond));
  int burst = 0;
  while (limit.take(100 * kSecond)) ++burst;
  EXPECT_EQ(burst, 100);
  EXPECT_FALSE(limit.take(99 * kSecond));
}

TEST(RateLimit, ZeroIsNoLimit) {
  RateLimit limit;
  EXPECT_EQ(taken(&limit, kSecond, 2 * kSecond, kSecond / 1000), 1000);
}

}  // namespace
}  // namespace hearth::naming
