#include "always_on/cost_meter.h"

#include <gtest/gtest.h>

namespace hearth::always_on {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

// Clocks that were read `seconds` after the start of the JVM.
CostMeter::Clocks clocks(uint64_t seconds, int64_t sampling_ns, int64_t rest_ns = 0, int64_t process_ns = 0) {
  return {seconds * kSecond, sampling_ns, rest_ns, process_ns};
}

TEST(CostMeter, IsDueEveryTenSeconds) {
  CostMeter meter(0.01);
  EXPECT_TRUE(meter.is_due(100ull * kSecond));
  meter.measure(clocks(100, 0));
  EXPECT_FALSE(meter.is_due(110ull * kSecond - 1));
  EXPECT_TRUE(meter.is_due(110ull * kSecond));
}

TEST(CostMeter, LeavesOutTheCostOfTheStart) {
  CostMeter meter(0.01);
  EXPECT_FALSE(meter.measure(clocks(100, 60 * kSecond, 60 * kSecond)));
  EXPECT_EQ(meter.budget().cost(), 0);
}

TEST(CostMeter, TakesDifferences) {
  CostMeter meter(0.01);
  meter.measure(clocks(100, 5 * kSecond, 7 * kSecond, 50 * kSecond));
  EXPECT_TRUE(meter.measure(clocks(110, 5 * kSecond + kSecond / 5, 7 * kSecond + kSecond / 10, 55 * kSecond)));
  EXPECT_DOUBLE_EQ(meter.budget().cost(), 0.03);
  EXPECT_EQ(meter.budget().slowdown(), 2);
  EXPECT_TRUE(meter.measure(clocks(120, 5 * kSecond + kSecond / 5, 7 * kSecond + kSecond / 10, 60 * kSecond)));
  EXPECT_EQ(meter.budget().cost(), 0);
  EXPECT_EQ(meter.budget().slowdown(), 1);
}

TEST(CostMeter, ComparesWithTheWholeProcessWhereThatUsesMore) {
  CostMeter meter(0.01);
  meter.measure(clocks(100, 0));
  meter.measure(clocks(110, kSecond / 5, 0, 40 * kSecond));
  EXPECT_DOUBLE_EQ(meter.budget().cost(), 0.005);
}

}  // namespace
}  // namespace hearth::always_on
