#include "capture/store/span_table.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace hearth::capture {
namespace {

SpanIds ids_of(uint64_t number) {
  return {number, number * 3, number * 7};
}

TEST(SpanTable, GivesEqualSpansOneNumber) {
  SpanTable table;
  EXPECT_EQ(table.number_of({}), SpanTable::kNone);
  uint16_t first = table.number_of({1, 2, 3});
  EXPECT_NE(first, SpanTable::kNone);
  EXPECT_NE(table.number_of({1, 2, 4}), first);
  EXPECT_NE(table.number_of({0, 2, 3}), first);
  EXPECT_EQ(table.number_of({1, 2, 3}), first);
  EXPECT_TRUE(table.of(first) == (SpanIds{1, 2, 3}));
  EXPECT_TRUE(table.of(SpanTable::kNone) == SpanIds());
}

TEST(SpanTable, KeepsItsSpansWhenItIsFull) {
  SpanTable table;
  for (uint64_t i = 1; i <= SpanTable::kMost; i++) ASSERT_NE(table.number_of(ids_of(i)), SpanTable::kOther) << i;
  EXPECT_EQ(table.used(), SpanTable::kMost);
  for (uint64_t i = 0; i < 3; i++) EXPECT_EQ(table.number_of(ids_of(SpanTable::kMost + 1)), SpanTable::kOther);
  EXPECT_TRUE(table.of(table.number_of(ids_of(500))) == ids_of(500));
}

TEST(SpanTable, IsSafeForManyThreads) {
  constexpr uint64_t kSpans = 5000;
  SpanTable table;
  std::vector<std::vector<uint16_t>> numbers(4, std::vector<uint16_t>(kSpans));
  std::vector<std::thread> threads;
  for (auto& own : numbers)
    threads.emplace_back([&table, &own] {
      for (uint64_t i = 0; i < kSpans; i++) own[i] = table.number_of(ids_of(i + 1));
    });
  for (std::thread& thread : threads) thread.join();
  for (uint64_t i = 0; i < kSpans; i++) {
    for (const auto& own : numbers) ASSERT_EQ(own[i], numbers[0][i]) << i;
    ASSERT_TRUE(table.of(numbers[0][i]) == ids_of(i + 1)) << i;
  }
}

}  // namespace
}  // namespace hearth::capture
