#include "holders/frontier.h"

#include <gtest/gtest.h>

namespace hearth::holders {
namespace {

Frontier::Object object(uint32_t node) {
  return {nullptr, node};
}

TEST(Frontier, IsBreadthFirst) {
  Frontier frontier;
  frontier.add_root(object(1));
  Frontier::Object first = frontier.take();
  EXPECT_EQ(first.node, 1U);
  frontier.put_back(first);
  frontier.add(object(2));
  frontier.add(object(3));
  EXPECT_EQ(frontier.size(), 3U);
  EXPECT_EQ(frontier.take().node, 1U);
  frontier.add(object(4));
  EXPECT_EQ(frontier.take().node, 2U);
  EXPECT_EQ(frontier.take().node, 3U);
  EXPECT_EQ(frontier.take().node, 4U);
  EXPECT_TRUE(frontier.empty());
}

TEST(Frontier, IsDepthFirstWhileItHoldsMany) {
  Frontier frontier(2, 4);
  frontier.add_root(object(1));
  frontier.take();
  for (uint32_t node : {2, 3, 4}) frontier.add(object(node));
  EXPECT_TRUE(frontier.is_deep());
  EXPECT_FALSE(frontier.is_full());
  Frontier::Object last = frontier.take();
  EXPECT_EQ(last.node, 4U);
  frontier.put_back(last);
  frontier.add(object(5));
  EXPECT_TRUE(frontier.is_full());
  EXPECT_EQ(frontier.take().node, 5U);
  EXPECT_EQ(frontier.take().node, 4U);
  EXPECT_EQ(frontier.take().node, 2U);  // few are left
}

TEST(Frontier, FollowsBranchesInRotation) {
  constexpr uint32_t kLarge = 1000, kSmall = 2000;
  Frontier frontier;
  frontier.add_root(object(kLarge));
  frontier.add_root(object(kSmall));
  int before = 0;
  for (Frontier::Object taken = frontier.take(); taken.node != kSmall; taken = frontier.take(), ++before)
    for (int i = 0; i < 2; ++i) frontier.add(object(1));
  EXPECT_EQ(before, Frontier::kInARow);
  EXPECT_EQ(frontier.take().node, 1U);  // that branch is through
  EXPECT_EQ(frontier.size(), static_cast<size_t>(Frontier::kInARow));
}

}  // namespace
}  // namespace hearth::holders
