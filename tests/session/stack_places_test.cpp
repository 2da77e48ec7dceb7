#include "session/stack_places.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace hearth::session {
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

TEST(StackPlaces, OfNoStacksThereIsOnlyTheRoot) {
  StackTree tree(1 << 10);
  std::vector<uint32_t> places = stack_places(tree);
  ASSERT_EQ(places.size(), 1u);
  EXPECT_EQ(places[StackTree::kRoot], 0u);
}

TEST(StackPlaces, StacksThatShareTheirOuterFramesComeTogether) {
  StackTree tree(1 << 10);
  uint32_t deep = add(&tree, {1, 2, 3, 4});
  uint32_t other = add(&tree, {9, 8});
  uint32_t fork = add(&tree, {1, 2, 7});
  uint32_t second = add(&tree, {9, 5});
  uint32_t shallow = add(&tree, {1, 2});
  std::vector<uint32_t> places = stack_places(tree);
  std::vector<uint32_t> ends = {deep, fork, shallow};
  std::vector<uint32_t> others = {other, second};
  auto by_place = [&](uint32_t a, uint32_t b) { return places[a] < places[b]; };
  bool first_tree_first = places[deep] < places[other];
  for (uint32_t end : ends)
    for (uint32_t one : others) EXPECT_EQ(places[end] < places[one], first_tree_first);
  EXPECT_EQ(*std::min_element(ends.begin(), ends.end(), by_place), shallow);
}

TEST(StackPlaces, EachNodeStandsBehindItsParentWithItsWholeSubtree) {
  StackTree tree(1 << 16);
  for (uint64_t stack = 0; stack < 2'000; ++stack) {
    uint64_t bits = stack * 0x9e3779b97f4a7c15ULL;
    add(&tree, {bits >> 62, bits >> 58 & 3, bits >> 54 & 7, bits >> 50 & 3, bits >> 46 & 1});
  }
  std::vector<uint32_t> places = stack_places(tree);
  std::vector<uint32_t> nodes;
  for (uint32_t id = 0; id < places.size(); ++id)
    if (tree.begins_run(id) || tree.continues_run(id)) nodes.push_back(id);
  ASSERT_EQ(nodes.size(), tree.node_count());
  std::sort(nodes.begin(), nodes.end(), [&](uint32_t a, uint32_t b) { return places[a] < places[b]; });
  std::vector<uint32_t> way;
  for (uint32_t at = 0; at < nodes.size(); ++at) {
    EXPECT_EQ(places[nodes[at]], at + 1);
    uint32_t parent = tree.parent(nodes[at]);
    while (!way.empty() && way.back() != parent) way.pop_back();
    EXPECT_TRUE(parent == StackTree::kRoot || !way.empty());
    way.push_back(nodes[at]);
  }
}

}  // namespace
}  // namespace hearth::session
