#include "naming/preorder_numbering.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace hearth::naming {
namespace {

using capture::Frame;
using capture::RawKind;
using capture::StackTree;

uint32_t add(StackTree* tree, const std::vector<uint64_t>& frames) {
  bool is_new = false;
  uint32_t at = StackTree::kRoot;
  for (uint64_t frame : frames) at = tree->child(at, Frame::of(RawKind::kAddress, frame), &is_new);
  return at;
}

std::vector<bool> all_of(const StackTree& tree) {
  return std::vector<bool>(tree.id_end(), true);
}

// Orders siblings by frame number, the order in which frames were first seen.
SiblingOrder as_first_seen() {
  SiblingOrder order;
  for (uint32_t number = 0; number < 64; ++number) order.rank.push_back(number);
  return order;
}

TEST(PreorderNumbering, AnEmptyTreeHasOnlyTheRoot) {
  StackTree tree(1 << 10);
  std::vector<uint32_t> numbers = preorder_index(tree, all_of(tree), as_first_seen());
  ASSERT_EQ(numbers.size(), 1u);
  EXPECT_EQ(numbers[StackTree::kRoot], 0u);
}

TEST(PreorderNumbering, StacksWithTheSameOuterFramesAreNeighbours) {
  StackTree tree(1 << 10);
  uint32_t deep = add(&tree, {1, 2, 3, 4});
  uint32_t other = add(&tree, {9, 8});
  uint32_t fork = add(&tree, {1, 2, 7});
  uint32_t second = add(&tree, {9, 5});
  uint32_t shallow = add(&tree, {1, 2});
  std::vector<uint32_t> numbers = preorder_index(tree, all_of(tree), as_first_seen());
  std::vector<uint32_t> ends = {deep, fork, shallow};
  std::vector<uint32_t> others = {other, second};
  auto by_number = [&](uint32_t a, uint32_t b) { return numbers[a] < numbers[b]; };
  bool first_tree_first = numbers[deep] < numbers[other];
  for (uint32_t end : ends)
    for (uint32_t one : others) EXPECT_EQ(numbers[end] < numbers[one], first_tree_first);
  EXPECT_EQ(*std::min_element(ends.begin(), ends.end(), by_number), shallow);
}

TEST(PreorderNumbering, ASubtreeFollowsItsParentWithoutGaps) {
  StackTree tree(1 << 16);
  for (uint64_t stack = 0; stack < 2'000; ++stack) {
    uint64_t bits = stack * 0x9e3779b97f4a7c15ULL;
    add(&tree, {bits >> 62, bits >> 58 & 3, bits >> 54 & 7, bits >> 50 & 3, bits >> 46 & 1});
  }
  std::vector<uint32_t> numbers = preorder_index(tree, all_of(tree), as_first_seen());
  std::vector<uint32_t> nodes;
  for (uint32_t id = 0; id < numbers.size(); ++id)
    if (tree.begins_run(id) || tree.continues_run(id)) nodes.push_back(id);
  ASSERT_EQ(nodes.size(), tree.node_count());
  std::sort(nodes.begin(), nodes.end(), [&](uint32_t a, uint32_t b) { return numbers[a] < numbers[b]; });
  std::vector<uint32_t> path;
  for (uint32_t at = 0; at < nodes.size(); ++at) {
    EXPECT_EQ(numbers[nodes[at]], at + 1);
    uint32_t parent = tree.parent(nodes[at]);
    while (!path.empty() && path.back() != parent) path.pop_back();
    EXPECT_TRUE(parent == StackTree::kRoot || !path.empty());
    path.push_back(nodes[at]);
  }
}

TEST(PreorderNumbering, SiblingsAscendByRankAndAreMergedWhereItIsEqual) {
  StackTree tree(1 << 10);
  uint32_t b = add(&tree, {1, 20, 5}), a = add(&tree, {1, 10}), other_b = add(&tree, {1, 21, 4});
  SiblingOrder order;
  order.rank.resize(64);
  auto rank = [&](uint32_t node) -> uint32_t& { return order.rank[tree.frame_number(node)]; };
  rank(tree.parent(b)) = rank(tree.parent(other_b)) = 2;
  rank(a) = 1;
  rank(b) = 9;
  rank(other_b) = 8;
  std::vector<uint32_t> numbers = preorder_index(tree, all_of(tree), order);
  EXPECT_EQ(numbers[tree.parent(a)], 1u);
  EXPECT_EQ(numbers[a], 2u);
  EXPECT_EQ(numbers[tree.parent(b)], 3u);
  EXPECT_EQ(numbers[tree.parent(other_b)], 3u);
  EXPECT_EQ(numbers[other_b], 4u);
  EXPECT_EQ(numbers[b], 5u);
}

TEST(PreorderNumbering, TheInnerHalfOfACallIsASiblingOfTheOuterOne) {
  StackTree tree(1 << 10);
  uint32_t inner = add(&tree, {1, 2, 3}), below = add(&tree, {1, 2, 4}), sibling = add(&tree, {1, 5});
  SiblingOrder order = as_first_seen();
  auto number = [&](uint32_t node) { return tree.frame_number(node); };
  order.rank[number(sibling)] = 1;
  order.rank[number(inner)] = 2;
  order.rank[number(tree.parent(inner))] = 3;
  order.rank[number(below)] = 0;
  order.is_one_call = [&](uint32_t outer, uint32_t called) { return outer == tree.parent(inner) && called == inner; };
  std::vector<uint32_t> numbers = preorder_index(tree, all_of(tree), order);
  EXPECT_EQ(numbers[sibling], 2u);
  EXPECT_EQ(numbers[inner], 3u);
  EXPECT_EQ(numbers[tree.parent(inner)], 4u);
  EXPECT_EQ(numbers[below], 5u);
}

TEST(PreorderNumbering, VisitsEachNumberOnceWithItsParents) {
  StackTree tree(1 << 10);
  uint32_t deep = add(&tree, {1, 2, 3}), fork = add(&tree, {1, 4});
  std::vector<std::pair<uint32_t, uint32_t>> visited;
  preorder_index(tree, all_of(tree), as_first_seen(),
                 [&](uint32_t parent_place, uint32_t id) { visited.emplace_back(parent_place, id); });
  uint32_t inner = tree.parent(deep);
  EXPECT_EQ(visited, (decltype(visited){{0, tree.parent(inner)}, {1, inner}, {2, deep}, {1, fork}}));
}

TEST(PreorderNumbering, UnusedNodesGetNoNumber) {
  StackTree tree(1 << 10);
  uint32_t first = add(&tree, {1, 2}), unused = add(&tree, {1, 3, 4}), last = add(&tree, {1, 5});
  std::vector<bool> used = all_of(tree);
  used[unused] = used[tree.parent(unused)] = false;
  std::vector<uint32_t> numbers = preorder_index(tree, used, as_first_seen());
  EXPECT_EQ(numbers[first], 2u);
  EXPECT_EQ(numbers[last], 3u);
}

}  // namespace
}  // namespace hearth::naming
