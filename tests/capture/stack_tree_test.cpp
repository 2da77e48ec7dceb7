#include "capture/store/stack_tree.h"

#include <gtest/gtest.h>

#include <set>
#include <thread>
#include <vector>

#include "capture/store/joined_stacks.h"

namespace hearth::capture {
namespace {

Frame native(uint64_t pc) {
  return Frame::of(RawKind::kNative, pc);
}

TEST(StackTree, SameFrameUnderSameParentIsOneNode) {
  StackTree tree(1000);
  uint32_t main = tree.child(StackTree::kRoot, native(1));
  EXPECT_EQ(main, tree.child(StackTree::kRoot, native(1)));
  EXPECT_NE(main, tree.child(StackTree::kRoot, native(2)));
  EXPECT_NE(main, tree.child(main, native(1)));
  EXPECT_EQ(tree.parent(main), StackTree::kRoot);
  EXPECT_TRUE(tree.frame(main) == native(1));
}

TEST(StackTree, FramesThatDifferOnlyInBciAreTwo) {
  StackTree tree(1000);
  EXPECT_NE(tree.child(StackTree::kRoot, Frame::java(77, 1)), tree.child(StackTree::kRoot, Frame::java(77, 2)));
}

TEST(StackWithoutCarrier, BeginsWithTheVirtualThread) {
  StackTree tree(1000);
  Frame marker = Frame::marker(Marker::kVirtualThread);
  uint32_t carrier = tree.child(StackTree::kRoot, native(1));
  uint32_t stack = tree.child(tree.child(tree.child(carrier, marker), native(2)), native(3));
  Frame space[4];
  uint32_t own = without_carrier(&tree, stack, space, 4);
  EXPECT_EQ(own, tree.child(tree.child(tree.child(StackTree::kRoot, marker), native(2)), native(3)));
  EXPECT_EQ(without_carrier(&tree, stack, space, 2), stack) << "no space";
  EXPECT_EQ(without_carrier(&tree, carrier, space, 4), carrier) << "no virtual thread";
  EXPECT_EQ(without_carrier(&tree, StackTree::kFull, space, 4), StackTree::kFull);
}

TEST(JoinedStacks, HaveTheInnerOneBehindTheBorder) {
  StackTree tree(1000);
  Frame border = Frame::of_another(Relation::kWakes, 7);
  uint32_t outer = tree.child(tree.child(StackTree::kRoot, native(1)), native(2));
  uint32_t inner = tree.child(tree.child(StackTree::kRoot, native(3)), native(4));
  Frame space[4];
  uint32_t stack = joined_stacks(&tree, outer, border, inner, space, 4);
  EXPECT_TRUE(tree.frame(stack) == native(4));
  EXPECT_TRUE(tree.frame(tree.parent(stack)) == native(3));
  uint32_t between = tree.parent(tree.parent(stack));
  EXPECT_TRUE(tree.frame(between) == border);
  EXPECT_EQ(tree.parent(between), outer);
  EXPECT_EQ(joined_stacks(&tree, outer, border, StackTree::kFull, space, 4), between) << "lost";
  EXPECT_EQ(joined_stacks(&tree, StackTree::kFull, border, inner, space, 4), StackTree::kFull);
}

TEST(StackTree, GrowsWithoutLosingStacks) {
  constexpr uint32_t kNodes = 300'000;
  StackTree tree(2 * kNodes + 10);
  std::vector<uint32_t> ids;
  for (uint32_t i = 0; i < kNodes; i++) {
    if (i % 1000 == 0) tree.grow();
    ids.push_back(tree.child(StackTree::kRoot, native(i)));
    ASSERT_NE(ids.back(), StackTree::kFull) << i;
  }
  for (uint32_t i = 0; i < kNodes; i++) ASSERT_EQ(ids[i], tree.child(StackTree::kRoot, native(i)));
  EXPECT_EQ(tree.node_count(), kNodes);
}

TEST(StackTree, ReportsThatItIsFull) {
  StackTree tree(7);  // three children of the root, two words each
  for (uint64_t i = 0; i < 3; i++) EXPECT_NE(tree.child(StackTree::kRoot, native(i)), StackTree::kFull);
  EXPECT_EQ(tree.child(StackTree::kRoot, native(99)), StackTree::kFull);
  EXPECT_NE(tree.child(StackTree::kRoot, native(1)), StackTree::kFull);
}

// However many nodes come before grow() does: an index too crowded costs memory, not weight.
TEST(StackTree, LosesNothingBetweenTwoTimesToGrow) {
  constexpr uint32_t kNodes = 200'000;
  StackTree tree(2 * kNodes + 10);
  for (uint32_t i = 0; i < kNodes; i++) {
    uint32_t id = tree.child(StackTree::kRoot, native(i));
    ASSERT_NE(id, StackTree::kFull) << i;
    ASSERT_TRUE(tree.frame(id) == native(i));
  }
  for (int i = 0; i < 10; i++) tree.grow();
  for (uint32_t i = 0; i < kNodes; i++) tree.child(StackTree::kRoot, native(i));
  EXPECT_EQ(tree.node_count(), kNodes);
}

// Each on its own way through a prefix that others have too, as the recorder stores them.
TEST(StackTree, FindsEveryStoredStack) {
  constexpr uint64_t kStacks = 20'000;
  constexpr uint64_t kDepth = 12;
  StackTree tree(1 << 20);
  auto store = [&tree](uint64_t stack) {
    uint32_t node = StackTree::kRoot;
    bool is_new = false;
    for (uint64_t level = 0; level < kDepth; level++)
      node = tree.child(node, native(stack >> (kDepth - level)), &is_new);
    return node;
  };
  std::vector<uint32_t> ids;
  for (uint64_t stack = 0; stack < kStacks; stack++) {
    ids.push_back(store(stack));
    if (stack % 1000 == 0) tree.grow();
  }
  uint32_t count = tree.node_count();
  for (uint64_t stack = 0; stack < kStacks; stack++) {
    ASSERT_EQ(store(stack), ids[stack]);
    uint32_t node = ids[stack];
    for (uint64_t level = kDepth; level-- > 0; node = tree.parent(node))
      ASSERT_TRUE(tree.frame(node) == native(stack >> (kDepth - level)));
    ASSERT_EQ(node, StackTree::kRoot);
  }
  EXPECT_EQ(tree.node_count(), count);
}

TEST(StackTree, ThreadsAgreeOnNodes) {
  constexpr uint32_t kNodes = 20'000;
  StackTree tree(1 << 20);
  std::vector<std::vector<uint32_t>> found(4);
  std::vector<std::thread> threads;
  threads.reserve(found.size());
  for (auto& ids : found) {
    threads.emplace_back([&tree, &ids] {
      for (uint32_t i = 0; i < kNodes; i++) ids.push_back(tree.child(StackTree::kRoot, native(i)));
    });
  }
  for (int i = 0; i < 50; i++) tree.grow();
  for (auto& thread : threads) thread.join();
  // An index that came in between may give a frame a second node; it must still be the right frame.
  for (const auto& ids : found) {
    ASSERT_EQ(ids.size(), kNodes);
    for (uint32_t i = 0; i < kNodes; i++) ASSERT_TRUE(tree.frame(ids[i]) == native(i));
  }
}

}  // namespace
}  // namespace hearth::capture
