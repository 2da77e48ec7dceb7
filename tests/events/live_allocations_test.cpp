#include "events/handlers/live_allocations.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace hearth::events {
namespace {

using Added = LiveAllocations::Added;

LiveAllocations::Allocation of_bytes(int64_t bytes) {
  LiveAllocations::Allocation allocation{};
  allocation.bytes = bytes;
  return allocation;
}

int64_t sum_of(const LiveAllocations& live) {
  int64_t sum = 0;
  live.each([&](const LiveAllocations::Allocation& one) { sum += one.bytes; });
  return sum;
}

TEST(LiveAllocations, AreThoseThatWereNotTaken) {
  LiveAllocations live(1 << 10);
  ASSERT_TRUE(live.ok());
  EXPECT_EQ(live.add(0x1000, of_bytes(100)), Added::kNew);
  EXPECT_EQ(live.add(0x2000, of_bytes(20)), Added::kNew);
  LiveAllocations::Allocation taken;
  EXPECT_FALSE(live.take(0x3000, &taken));
  EXPECT_TRUE(live.take(0x1000, &taken));
  EXPECT_EQ(taken.bytes, 100);
  EXPECT_FALSE(live.take(0x1000, &taken));
  EXPECT_EQ(sum_of(live), 20);
}

TEST(LiveAllocations, AnAddressThatComesAgainReplacesTheOneBefore) {
  LiveAllocations live(1 << 10);
  live.add(0x1000, of_bytes(100));
  EXPECT_EQ(live.add(0x1000, of_bytes(3)), Added::kReplaced);
  EXPECT_EQ(sum_of(live), 3);
}

TEST(LiveAllocations, CountsThoseWithoutAPlace) {
  constexpr int64_t kAll = 4096;
  LiveAllocations live(1 << 10);
  int64_t kept = 0;
  for (int64_t i = 1; i <= kAll; ++i)
    if (live.add(static_cast<uintptr_t>(i) * 64, of_bytes(5)) == Added::kNew) kept++;
  EXPECT_EQ(sum_of(live), 5 * kept);
  EXPECT_EQ(live.missed(), static_cast<uint64_t>(kAll - kept));
  EXPECT_EQ(live.missed_bytes(), 5 * (kAll - kept));
  EXPECT_GT(kept, 900);
  live.clear();
  EXPECT_EQ(sum_of(live), 0);
}

TEST(LiveAllocations, ThreadsAddAndTakeWithoutLosingAny) {
  constexpr uintptr_t kThreads = 4, kAddresses = 64;
  LiveAllocations live(1 << 12);
  std::atomic<bool> ends{false};
  std::thread reader([&] {
    while (!ends)
      live.each([](const LiveAllocations::Allocation& one) { EXPECT_EQ(one.objects, static_cast<double>(one.bytes)); });
  });
  std::vector<std::thread> threads;
  for (uintptr_t thread = 0; thread < kThreads; ++thread)
    threads.emplace_back([&live, thread] {
      for (int64_t round = 1; round <= 2000; ++round) {
        for (uintptr_t i = 0; i < kAddresses; ++i) {
          LiveAllocations::Allocation one = of_bytes(round);
          one.objects = static_cast<double>(round);
          ASSERT_EQ(live.add((thread * kAddresses + i + 1) * 16, one), Added::kNew);
        }
        for (uintptr_t i = 0; i < kAddresses; ++i) {
          LiveAllocations::Allocation taken;
          ASSERT_TRUE(live.take((thread * kAddresses + i + 1) * 16, &taken));
          ASSERT_EQ(taken.bytes, round);
        }
      }
    });
  for (std::thread& one : threads) one.join();
  ends = true;
  reader.join();
  EXPECT_EQ(sum_of(live), 0);
}

}  // namespace
}  // namespace hearth::events
