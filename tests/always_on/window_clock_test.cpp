#include "always_on/window_clock.h"

#include <gtest/gtest.h>

namespace hearth::always_on {
namespace {

constexpr int64_t kSecond = 1'000'000'000;
constexpr int64_t kMinute = 60 * kSecond;
constexpr uint64_t kStart = 5000 * kSecond;  // of the monotonic clock

// A clock that shows `seconds` after a full minute.
WindowClock::Time after(int64_t seconds) {
  return {100 * kMinute + seconds * kSecond, kStart + static_cast<uint64_t>(seconds * kSecond)};
}

TEST(WindowClock, EndsAtMultiplesOfItsLength) {
  WindowClock clock(kMinute);
  clock.begin(after(17));
  EXPECT_EQ(clock.ends_ns(), after(60).ns);
  EXPECT_FALSE(clock.is_over(after(60).ns - 1));
  EXPECT_TRUE(clock.is_over(after(60).ns));
  clock.begin(after(60));
  EXPECT_EQ(clock.began().unix_ns, after(60).unix_ns);
  EXPECT_EQ(clock.ends_ns(), after(120).ns);
}

TEST(WindowClock, AddsAShortRestToTheNextWindow) {
  WindowClock clock(kMinute);
  clock.begin(after(54));
  EXPECT_EQ(clock.ends_ns(), after(60).ns);
  clock.begin(after(55));
  EXPECT_EQ(clock.ends_ns(), after(120).ns);
}

TEST(WindowClock, IsProlongedNotShortened) {
  WindowClock clock(kMinute);
  clock.begin(after(0));
  clock.prolong_to(after(30).ns);
  EXPECT_EQ(clock.ends_ns(), after(60).ns);
  clock.prolong_to(after(61).ns);
  EXPECT_EQ(clock.ends_ns(), after(61).ns);
}

TEST(WindowClock, MakesNoFileOfAWindowThatHasJustBegun) {
  WindowClock minute(kMinute), short_one(kSecond), hour(60 * kMinute);
  for (WindowClock* clock : {&minute, &short_one, &hour}) clock->begin(after(0));
  EXPECT_FALSE(minute.is_worth_a_file(after(9).ns));
  EXPECT_TRUE(minute.is_worth_a_file(after(10).ns));
  EXPECT_FALSE(short_one.is_worth_a_file(after(1).ns - 1));
  EXPECT_TRUE(short_one.is_worth_a_file(after(1).ns));
  EXPECT_TRUE(hour.is_worth_a_file(after(10).ns));
}

}  // namespace
}  // namespace hearth::always_on
