#include "events/threads/timing_wheel.h"

#include <gtest/gtest.h>

#include <map>

namespace hearth::events {
namespace {

constexpr int64_t kInterval = 50'000'000;

TEST(TimingWheel, TheFirstVisitIsAnywhereInTheFirstInterval) {
  TimingWheel schedule(kInterval);
  constexpr uint32_t kThreads = 10'000;
  for (uint32_t i = 0; i < kThreads; i++) schedule.add({i, 1});
  int64_t ticks = kInterval / schedule.tick_ns();
  size_t seen = 0;
  for (int64_t tick = 0; tick < ticks; tick++) {
    size_t due = schedule.next_tick().size();
    EXPECT_NEAR(static_cast<double>(due), kThreads / static_cast<double>(ticks), kThreads / 20.0);
    seen += due;
  }
  EXPECT_EQ(seen, kThreads);
}

TEST(TimingWheel, VisitsAreAnIntervalApartOnAverageAndAtMostTwo) {
  for (int64_t interval : {int64_t{100'000}, int64_t{350'000}, kInterval}) {
    TimingWheel schedule(interval);
    schedule.add({7, 3});
    constexpr int kTicks = 80'000;
    std::map<int, int> gaps;
    int visits = 0;
    int last = 0;
    for (int tick = 1; tick <= kTicks; tick++) {
      for (TimingWheel::Visit visit : schedule.next_tick()) {
        EXPECT_EQ(visit.slot, 7u);
        EXPECT_EQ(visit.serial, 3u);
        schedule.again(visit);
        if (visits++ > 0) gaps[tick - last]++;
        last = tick;
      }
    }
    double expected =
        static_cast<double>(kTicks) * static_cast<double>(schedule.tick_ns()) / static_cast<double>(interval);
    EXPECT_NEAR(visits, expected, expected / 50) << interval;
    EXPECT_LT(gaps.rbegin()->first * schedule.tick_ns(), 2 * interval) << interval;
  }
}

TEST(TimingWheel, AVisitThatIsNotRepeatedIsDueOnce) {
  TimingWheel schedule(kInterval);
  schedule.add({1, 1});
  int visits = 0;
  for (int tick = 0; tick < 100; tick++) visits += static_cast<int>(schedule.next_tick().size());
  EXPECT_EQ(visits, 1);
}

}  // namespace
}  // namespace hearth::events
