#include "capture/store/name_table.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

namespace hearth::capture {
namespace {

TEST(NameTable, EqualNamesHaveEqualNumbers) {
  NameTable names;
  uint32_t first = names.number_of("[I");
  uint32_t second = names.number_of("Ljava/lang/String;");
  EXPECT_NE(first, second);
  for (int i = 0; i < 1000; i++) names.number_of("LGenerated" + std::to_string(i) + ";");
  EXPECT_EQ(names.number_of(std::string("[I")), first);
  EXPECT_STREQ(names.name(second), "Ljava/lang/String;");
  EXPECT_STREQ(names.name(NameTable::kNone), "");
}

TEST(NameTable, RefusesWhenItIsFull) {
  NameTable names;
  uint32_t known = names.number_of("known");
  uint32_t refused = 0;
  for (uint32_t i = 0; i < 2 * NameTable::kMost; i++)
    refused += names.number_of("C" + std::to_string(i)) == NameTable::kNone;
  EXPECT_GE(refused, NameTable::kMost);
  EXPECT_LT(refused, NameTable::kMost + NameTable::kMost / 8);
  EXPECT_EQ(names.number_of("known"), known);
  EXPECT_EQ(names.refused(), refused);
}

TEST(NameTable, RefusesWhenItsTextIsFull) {
  NameTable names;
  constexpr int kNames = 20'000;
  uint32_t refused = 0;
  for (int i = 0; i < kNames; i++) {
    std::string name = std::string(1000, 'x') + std::to_string(i);
    uint32_t number = names.number_of(name);
    refused += number == NameTable::kNone;
    ASSERT_EQ(names.name(number), number == NameTable::kNone ? "" : name);
    ASSERT_EQ(names.number_of(name), number);
  }
  EXPECT_GT(refused, 0u);
  EXPECT_EQ(names.refused(), 2 * refused);
}

TEST(NameTable, ThreadsAgree) {
  NameTable names;
  constexpr int kNames = 2000;
  std::vector<std::vector<uint32_t>> given(4);
  std::vector<std::thread> threads;
  for (auto& numbers : given) {
    threads.emplace_back([&] {
      for (int i = 0; i < kNames; i++) numbers.push_back(names.number_of("LClass" + std::to_string(i) + ";"));
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& numbers : given) EXPECT_EQ(numbers, given[0]);
  for (int i = 0; i < kNames; i++) EXPECT_EQ(names.name(given[0][i]), "LClass" + std::to_string(i) + ";");
}

}  // namespace
}  // namespace hearth::capture
