#include "holders/frontier.h"

#include <gtest/gtest.h>

namespace hearth::holders {
namespace {

Frontier::Object object(uint32_t node) {
  return {nullptr, node, 0};
}

TEST(Frontier, IsBreadthFirst) {
  Frontier frontier;
  for (uint32_t node : {1, 2, 3}) frontier.add(object(node));
  Frontier::Object first = frontier.take();
  EXPECT_EQ(first.node, 1U);
  frontier.put_back(first);
  frontier.add(object(4));
  EXPECT_EQ(frontier.take().node, 1U);
  EXPECT_EQ(frontier.take().node, 2U);
}

TEST(Frontier, IsDepthFirstWhileItHoldsMany) {
  Frontier frontier(3, 4);
  for (uint32_t node : {1, 2, 3}) frontier.add(object(node));
  EXPECT_TRUE(frontier.is_deep());
  EXPECT_FALSE(frontier.is_full());
  Frontier::Object last = frontier.take();
  EXPECT_EQ(last.node, 3U);
  frontier.put_back(last);
  frontier.add(object(4));
  EXPECT_TRUE(frontier.is_full());
  EXPECT_EQ(frontier.take().node, 4U);
  EXPECT_EQ(frontier.take().node, 3U);
  EXPECT_EQ(frontier.take().node, 1U);  // few are left
}

}  // namespace
}  // namespace hearth::holders
