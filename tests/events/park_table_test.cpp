#include "events/lock/park_table.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace hearth::events {
namespace {

constexpr uintptr_t kThread = 0x7f0000001000, kOther = 0x7f0000002000;

Wake wake_of(int64_t time_ns) {
  Wake wake;
  wake.time_ns = time_ns;
  return wake;
}

TEST(ParkTable, AThreadLearnsWhoWokeIt) {
  ParkTable table(1);
  ParkTable::Place* place = table.enter(kThread, 100);
  ASSERT_NE(place, nullptr);
  EXPECT_EQ(table.claim(kOther), nullptr);
  ParkTable::Place* claimed = table.claim(kThread);
  ASSERT_EQ(claimed, place);
  EXPECT_EQ(ParkTable::began_ns(claimed), 100U);
  EXPECT_EQ(table.claim(kThread), nullptr) << "one waker";
  table.tell(claimed, wake_of(7));
  EXPECT_EQ(table.claim(kThread), nullptr) << "it is woken";
  Wake wake;
  EXPECT_TRUE(table.leave(place, &wake));
  EXPECT_EQ(wake.time_ns, 7);
  EXPECT_EQ(table.claim(kThread), nullptr) << "it has left";
}

TEST(ParkTable, AWaitThatNobodyEndsHasNoWaker) {
  ParkTable table(1);
  ParkTable::Place* place = table.enter(kThread, 100);
  Wake wake;
  EXPECT_FALSE(table.leave(place, &wake));
  EXPECT_EQ(table.enter(kOther, 200), place) << "the place is free";
}

TEST(ParkTable, AThreadThatGoesOnLeavesItsPlaceToTheWaker) {
  ParkTable table(1);
  ParkTable::Place* place = table.enter(kThread, 100);
  ParkTable::Place* claimed = table.claim(kThread);
  Wake wake;
  EXPECT_FALSE(table.leave(place, &wake));
  EXPECT_NE(table.enter(kThread, 200), place) << "the waker writes there";
  table.tell(claimed, wake_of(7));
  EXPECT_EQ(table.enter(kOther, 300), place);
}

TEST(ParkTable, CountsThreadsWithoutAPlace) {
  ParkTable table(1);
  for (uintptr_t i = 1; i <= 8; i++) EXPECT_NE(table.enter(kThread + 8 * i, i), nullptr);
  EXPECT_EQ(table.enter(kOther, 9), nullptr);
  EXPECT_EQ(table.refused(), 1U);
}

// Each waiter tells the wakers its number by the begin of its park, and must get it back.
TEST(ParkTable, WakersOfManyThreadsDoNotMix) {
  constexpr int kPairs = 4, kParks = 20'000;
  ParkTable table(1);
  std::atomic<int> mixed{0}, woken{0}, running{kPairs};
  std::vector<std::thread> threads;
  for (uintptr_t number = 1; number <= kPairs; number++) {
    threads.emplace_back([&, number] {
      for (int i = 0; i < kParks; i++) {
        ParkTable::Place* place = table.enter(8 * number, number);
        Wake wake;
        if (place == nullptr || !table.leave(place, &wake)) continue;
        woken++;
        if (wake.time_ns != static_cast<int64_t>(number)) mixed++;
      }
      running--;
    });
    threads.emplace_back([&, number] {
      while (running > 0)
        if (ParkTable::Place* place = table.claim(8 * number))
          table.tell(place, wake_of(static_cast<int64_t>(ParkTable::began_ns(place))));
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(mixed, 0);
  EXPECT_EQ(table.refused(), 0U);
  for (uintptr_t i = 1; i <= 8; i++) EXPECT_NE(table.enter(kThread + 8 * i, i), nullptr) << "all places are free";
}

}  // namespace
}  // namespace hearth::events
