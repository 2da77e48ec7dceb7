#include "profile/analysis/call_tree.h"

#include <gtest/gtest.h>

#include <numeric>

#include "sample_profile.h"

namespace hearth::profile {
namespace {

// "depth name/kind own,own" a line.
std::string drawn(const CallTree& tree) {
  std::string text;
  for (size_t node = 0; node < tree.size(); ++node) {
    const TreeFrame& frame = tree.frames[tree.frame[node]];
    text += std::string(tree.depth[node], ' ') + frame.name + "/" + std::to_string(static_cast<int>(frame.kind));
    for (const auto& column : tree.self) text += " " + std::to_string(column[node]);
    text += "\n";
  }
  return text;
}

constexpr FrameKind kJit = FrameKind::kJit;
constexpr FrameKind kInlined = FrameKind::kInlined;

TEST(CallTree, SiblingsAreInOrderOfNames) {
  Profile profile = counted();
  add(profile, {{"b", kJit}, {"z", kJit}}, {1});
  add(profile, {{"b", kJit}, {"y", kJit}}, {2});
  add(profile, {{"a", kJit}}, {3});
  add(profile, {{"b", kJit}}, {4});
  EXPECT_EQ(drawn(call_tree(profile, {})), " a/2 3\n b/2 4\n  y/2 2\n  z/2 1\n");
}

TEST(CallTree, OneMethodIsOneFrameHoweverCompiled) {
  Profile profile = counted();
  add(profile, {{"a", kJit}, {"x", kJit}}, {1});
  add(profile, {{"a", kInlined}, {"x", kInlined}, {"y", kJit}}, {5});
  add(profile, {{"a", FrameKind::kInterpreted}, {"w", kJit}}, {2});
  EXPECT_EQ(drawn(call_tree(profile, {})), " a/3 0\n  w/2 2\n  x/3 1\n   y/2 5\n");
  WriteOptions annotate;
  annotate.annotate = true;
  EXPECT_EQ(drawn(call_tree(profile, annotate)), " a/0 0\n  w/2 2\n a/2 0\n  x/2 1\n a/3 0\n  x/3 0\n   y/2 5\n");
}

TEST(CallTree, WithLinesEachLineIsAFrame) {
  Profile profile = counted();
  FunctionId method = profile.function("a", kJit);
  FunctionId native = profile.function("read", FrameKind::kNative);
  for (uint32_t line : {7u, 12u, 0u}) {
    NodeId java = profile.child(0, profile.location(method, line));
    int64_t one = 1;
    profile.add(profile.child(java, profile.location(native, line)), 0, &one);
  }
  WriteOptions lines;
  lines.lines = true;
  EXPECT_EQ(drawn(call_tree(profile, lines)), " a/2 0\n  read/4 1\n a:12/2 0\n  read/4 1\n a:7/2 0\n  read/4 1\n");
  EXPECT_EQ(drawn(call_tree(profile, {})), " a/2 0\n  read/4 3\n");
}

TEST(CallTree, KernelAndNativeOfOneNameAreTwo) {
  Profile profile = counted();
  add(profile, {{"read", FrameKind::kKernel}}, {1});
  add(profile, {{"read", FrameKind::kNative}}, {2});
  add(profile, {{"read", FrameKind::kCpp}}, {1});
  EXPECT_EQ(drawn(call_tree(profile, {})), " read/4 3\n read/6 1\n");
}

TEST(CallTree, LinesOfOneMethodAreMerged) {
  Profile profile = counted();
  FunctionId function = profile.function("f", kJit);
  for (uint32_t line : {10u, 20u, 30u}) {
    int64_t one = 1;
    profile.add(profile.child(0, profile.location(function, line)), 0, &one);
  }
  EXPECT_EQ(drawn(call_tree(profile, {})), " f/2 3\n");
}

TEST(CallTree, LeavesOutStacksWithoutWeight) {
  Profile profile = counted();
  add(profile, {{"a", kJit}, {"b", kJit}}, {0});
  add(profile, {{"a", kJit}}, {1});
  stack(profile, {{"never", kJit}, {"sampled", kJit}});
  EXPECT_EQ(drawn(call_tree(profile, {})), " a/2 1\n");
}

TEST(CallTree, EmptyProfilesAreFine) {
  EXPECT_EQ(call_tree(Profile(), {}).size(), 0u);
  EXPECT_EQ(call_tree(counted(), {}).size(), 0u);
}

TEST(CallTree, NamesAreUtf8) {
  Profile profile = counted();
  add(profile, {{"bad\xFF", kJit}}, {1});
  add(profile, {{"", FrameKind::kNative}}, {1});
  EXPECT_EQ(drawn(call_tree(profile, {})), " [unknown]/4 1\n bad\uFFFD/2 1\n");
}

TEST(CallTree, VeryDeepStacks) {
  Profile profile = counted();
  LocationId location = profile.location(profile.function("recursive", kJit), 0);
  NodeId node = 0;
  for (int i = 0; i < 1'000'000; ++i) node = profile.child(node, location);
  int64_t one = 1;
  profile.add(node, 0, &one);
  EXPECT_EQ(call_tree(profile, {}).depth.back(), 1'000'000u);
}

}  // namespace
}  // namespace hearth::profile
