#include "base/random.h"

#include <gtest/gtest.h>

#include <array>
#include <set>

namespace hearth {
namespace {

TEST(Random, FillsAllBytesWithNewValuesEachTime) {
  std::array<unsigned char, 64> first{}, second{};
  ASSERT_TRUE(fill_random(first.data(), first.size()));
  ASSERT_TRUE(fill_random(second.data(), second.size()));
  EXPECT_NE(first, second);
  std::set<unsigned char> tail(first.begin() + 32, first.end());
  EXPECT_GT(tail.size(), 8U);
}

TEST(Random, SeedsDifferFromCallToCall) {
  std::set<uint32_t> seeds;
  for (int i = 0; i < 1000; i++) seeds.insert(random_seed());
  EXPECT_GT(seeds.size(), 995U);  // two of a thousand are the same once in 8,600 runs
}

}  // namespace
}  // namespace hearth
