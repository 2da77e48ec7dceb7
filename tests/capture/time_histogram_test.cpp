#include "capture/store/time_histogram.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

namespace hearth::capture {
namespace {

TEST(TimeHistogram, EmptyHasNoTime) {
  TimeHistogram times;
  EXPECT_EQ(times.count(), 0u);
  EXPECT_EQ(times.quantile(0.5), 0u);
}

TEST(TimeHistogram, AnyTimeIsTakenAndGivenBackNearly) {
  for (int power = 0; power < 64; power++) {
    for (uint64_t ns : {uint64_t{1} << power, (uint64_t{1} << power) + (uint64_t{1} << power) / 3}) {
      TimeHistogram times;
      times.add(ns);
      auto expected = static_cast<double>(ns);
      EXPECT_LE(std::abs(static_cast<double>(times.quantile(1)) - expected), expected * 0.065) << ns;
    }
  }
  TimeHistogram times;
  times.add(0);
  times.add(UINT64_MAX);
  EXPECT_EQ(times.quantile(0.5), 0u);
  EXPECT_GT(times.quantile(1), UINT64_MAX / 16 * 15);
}

TEST(TimeHistogram, QuantilesOfManyTimes) {
  TimeHistogram times;
  for (uint64_t ns = 1; ns <= 10'000; ns++) times.add(ns);
  EXPECT_EQ(times.count(), 10'000u);
  EXPECT_NEAR(static_cast<double>(times.quantile(0.5)), 5000, 5000 * 0.065);
  EXPECT_NEAR(static_cast<double>(times.quantile(0.99)), 9900, 9900 * 0.065);
}

TEST(TimeHistogram, OneSlowOfAHundredShowsAboveTheNinetyNinth) {
  TimeHistogram times;
  for (int i = 0; i < 99; i++) times.add(1000);
  times.add(1'000'000);
  EXPECT_LT(times.quantile(0.99), 1100u);
  EXPECT_GT(times.quantile(1), 900'000u);
}

}  // namespace
}  // namespace hearth::capture
