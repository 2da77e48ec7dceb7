#include "holders/object_set.h"

#include <gtest/gtest.h>

namespace hearth::holders {
namespace {

TEST(ObjectSet, HasEachHashCodeOnce) {
  constexpr uint32_t kMany = 100'000, kLargest = (uint32_t{1} << 31) - 1;
  ObjectSet set;
  for (uint32_t hash = 0; hash < kMany; ++hash) EXPECT_TRUE(set.add(hash));
  EXPECT_TRUE(set.add(kLargest));
  for (uint32_t hash = 0; hash < kMany; ++hash) EXPECT_FALSE(set.add(hash));
  EXPECT_FALSE(set.add(kLargest));
  EXPECT_EQ(set.size(), kMany + 1);
}

TEST(SearchTree, KnowsTheStepsToANode) {
  SearchTree tree;
  uint32_t root = tree.add(SearchTree::kNone, 7), child = tree.add(root, 8);
  tree.add(root, 9);
  EXPECT_EQ(tree.steps_to(tree.add(child, 10)), (std::vector<uint32_t>{7, 8, 10}));
  EXPECT_EQ(tree.steps_to(root), std::vector<uint32_t>{7});
}

}  // namespace
}  // namespace hearth::holders
