#include "events/lock/park_table.h"

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace hearth::events {
namespace {

constexpr uintptr_t kThread = 0x7f0000001000, kOther = 0x7f0000002000;

WokenWait wait_of(int64_t time_ns, double contentions = 1) {
  WokenWait wait;
  wait.time_ns = time_ns;
  wait.weight = {time_ns, contentions};
  return wait;
}

capture::OuterThread waker_of(uint32_t serial) {
  capture::OuterThread waker;
  waker.serial = serial;
  return waker;
}

// What leave() says, as "time by waker"; "none": nobody woke it.
std::string left(ParkTable* table, ParkTable::Place* place) {
  WokenWait wait;
  capture::OuterThread waker;
  if (!table->leave(place, &wait, &waker)) return "none";
  return std::to_string(wait.time_ns) + " by " + std::to_string(waker.serial);
}

TEST(ParkTable, AThreadLearnsWhoWokeIt) {
  ParkTable table(1);
  ParkTable::Place* place = table.enter(kThread, 100);
  ASSERT_NE(place, nullptr);
  EXPECT_EQ(table.claim(kOther), nullptr);
  EXPECT_TRUE(table.has(kThread));
  ParkTable::Place* claimed = table.claim(kThread);
  ASSERT_EQ(claimed, place);
  EXPECT_EQ(ParkTable::began_ns(claimed), 100U);
  EXPECT_EQ(table.claim(kThread), nullptr) << "one waker";
  table.weigh(claimed, wait_of(7));
  table.tell(claimed, waker_of(3));
  EXPECT_EQ(table.claim(kThread), nullptr) << "it is woken";
  EXPECT_FALSE(table.has(kThread));
  EXPECT_EQ(left(&table, place), "7 by 3");
  EXPECT_EQ(table.claim(kThread), nullptr) << "it has left";
}

TEST(ParkTable, AWaitThatNobodyEndsHasNoWaker) {
  ParkTable table(1);
  ParkTable::Place* place = table.enter(kThread, 100);
  EXPECT_EQ(left(&table, place), "none");
  EXPECT_EQ(table.enter(kOther, 200), place) << "the place is free";
}

TEST(ParkTable, AWaitThatIsNotSampledHasNoWeight) {
  ParkTable table(1);
  ParkTable::Place* place = table.enter(kThread, 100);
  table.weigh(table.claim(kThread), wait_of(7, 0));
  EXPECT_EQ(left(&table, place), "7 by 0");
  EXPECT_EQ(table.enter(kOther, 200), place);
}

TEST(ParkTable, AThreadThatGoesOnLeavesItsPlaceToTheWaker) {
  ParkTable table(1);
  ParkTable::Place* place = table.enter(kThread, 100);
  ParkTable::Place* claimed = table.claim(kThread);
  EXPECT_EQ(left(&table, place), "none") << "the wait has no weight yet";
  ParkTable::Place* second = table.enter(kThread, 200);
  EXPECT_NE(second, place) << "the waker writes there";
  EXPECT_EQ(table.claim(kThread), second);
  table.weigh(claimed, wait_of(7));
  table.tell(claimed, waker_of(3));
  EXPECT_EQ(table.enter(kOther, 300), place);
}

TEST(ParkTable, AThreadThatGoesOnDuringTheWalkKeepsTheWeight) {
  ParkTable table(1);
  ParkTable::Place* place = table.enter(kThread, 100);
  ParkTable::Place* claimed = table.claim(kThread);
  table.weigh(claimed, wait_of(7));
  EXPECT_EQ(left(&table, place), "7 by 0") << "by an unknown one";
  table.tell(claimed, waker_of(3));
  EXPECT_EQ(table.enter(kOther, 300), place);
}

TEST(ParkTable, CountsThreadsWithoutAPlace) {
  ParkTable table(1);
  for (uintptr_t i = 1; i <= 8; i++) EXPECT_NE(table.enter(kThread + 8 * i, i), nullptr);
  EXPECT_EQ(table.enter(kOther, 9), nullptr);
  EXPECT_EQ(table.refused(), 1U);
  EXPECT_EQ(table.enter(0, 9), nullptr) << "no thread";
  EXPECT_EQ(table.claim(0), nullptr);
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
        WokenWait wait;
        capture::OuterThread waker;
        if (place == nullptr || !table.leave(place, &wait, &waker)) continue;
        woken++;
        bool is_told = waker.serial != 0;
        if (wait.time_ns != static_cast<int64_t>(number) || (is_told && waker.serial != number)) mixed++;
      }
      running--;
    });
    threads.emplace_back([&, number] {
      while (running > 0) {
        ParkTable::Place* place = table.claim(8 * number);
        if (place == nullptr) continue;
        table.weigh(place, wait_of(static_cast<int64_t>(ParkTable::began_ns(place))));
        table.tell(place, waker_of(static_cast<uint32_t>(number)));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(mixed, 0);
  EXPECT_EQ(table.refused(), 0U);
  for (uintptr_t i = 1; i <= 8; i++) EXPECT_NE(table.enter(kThread + 8 * i, i), nullptr) << "all places are free";
}

}  // namespace
}  // namespace hearth::events
