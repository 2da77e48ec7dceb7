#include "push/back_off.h"

#include <gtest/gtest.h>

#include <set>

namespace hearth::push {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

TEST(BackOff, WaitsTwiceAsLongEachTimeUpToFiveMinutes) {
  BackOff back_off(1);
  for (int64_t least = kSecond; least < BackOff::kMostNs / 2; least *= 2) {
    int64_t delay = back_off.after_failure_ns();
    EXPECT_GE(delay, least);
    EXPECT_LE(delay, 2 * least);
  }
  for (int i = 0; i < 5; i++) back_off.after_failure_ns();
  EXPECT_GE(back_off.after_failure_ns(), BackOff::kMostNs / 2);
  EXPECT_LE(back_off.after_failure_ns(), BackOff::kMostNs);
  back_off.has_gone_well();
  EXPECT_LE(back_off.after_failure_ns(), 2 * kSecond);
}

TEST(BackOff, WaitsNoLessThanIsAsked) {
  for (uint64_t seed = 1; seed <= 20; seed++) {
    int64_t delay = BackOff(seed * 1'000'003).after_failure_ns(8 * kSecond);
    EXPECT_GE(delay, 8 * kSecond);
    EXPECT_LE(delay, 9 * kSecond);
  }
}

TEST(BackOff, GrowsWhereAServerAsksForLittleAgainAndAgain) {
  BackOff back_off(1);
  for (int i = 0; i < 9; i++) back_off.after_failure_ns(kSecond);
  EXPECT_GE(back_off.after_failure_ns(kSecond), BackOff::kMostNs / 2);
}

TEST(BackOff, DiffersFromThatOfOthers) {
  std::set<int64_t> delays;
  for (uint64_t seed = 1; seed <= 10; seed++) delays.insert(BackOff(seed * 1'000'003).after_failure_ns());
  EXPECT_GT(delays.size(), 8u);
}

}  // namespace
}  // namespace hearth::push
