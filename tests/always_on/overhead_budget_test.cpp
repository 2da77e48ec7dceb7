#include "always_on/overhead_budget.h"

#include <gtest/gtest.h>

namespace hearth::always_on {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

TEST(OverheadBudget, GoesSlowerAndFasterAgain) {
  OverheadBudget budget(0.01);
  EXPECT_FALSE(budget.measure({kSecond / 200, 0, kSecond, kSecond}));
  EXPECT_TRUE(budget.measure({kSecond / 50, 0, kSecond, kSecond}));
  EXPECT_EQ(budget.slowdown(), 2);
  EXPECT_TRUE(budget.measure({kSecond / 50, 0, kSecond, kSecond}));
  EXPECT_EQ(budget.slowdown(), 4);
  EXPECT_FALSE(budget.measure({kSecond / 200, 0, kSecond, kSecond}));  // at twice the rate it would be too much
  EXPECT_TRUE(budget.measure({kSecond / 1000, 0, kSecond, kSecond}));
  EXPECT_EQ(budget.slowdown(), 2);
}

TEST(OverheadBudget, IsOfTheWholeProcessWhereThatUsesMoreThanACpu) {
  OverheadBudget budget(0.01);
  EXPECT_FALSE(budget.measure({kSecond / 50, 0, kSecond, 4 * kSecond}));
  EXPECT_DOUBLE_EQ(budget.cost(), 0.005);
}

TEST(OverheadBudget, KeepsIntervalsWhenOtherWorkCosts) {
  OverheadBudget budget(0.01);
  EXPECT_TRUE(budget.measure({kSecond / 50, kSecond / 50, kSecond, 0}));
  EXPECT_TRUE(budget.measure({kSecond / 1000, kSecond / 50, kSecond, 0}));
  EXPECT_EQ(budget.slowdown(), 1);
  EXPECT_DOUBLE_EQ(budget.cost(), 0.021);
}

TEST(OverheadBudget, HasAnEnd) {
  OverheadBudget budget(0.01);
  for (int i = 0; i < 20; i++) budget.measure({kSecond, 0, kSecond, 0});
  EXPECT_EQ(budget.slowdown(), 64);
  for (int i = 0; i < 20; i++) budget.measure({0, 0, kSecond, 0});
  EXPECT_EQ(budget.slowdown(), 1);
  EXPECT_FALSE(budget.measure({0, 0, 0, 0}));
}

}  // namespace
}  // namespace hearth::always_on
