#include "profile/model/stack_filter.h"

#include <gtest/gtest.h>

#include "sample_profile.h"

namespace hearth::profile {
namespace {

TEST(StackFilter, PatternsMatchWholeNames) {
  EXPECT_TRUE(matches_pattern("a/B.c", "a/B.c"));
  EXPECT_FALSE(matches_pattern("a/B", "a/B.c"));
  EXPECT_TRUE(matches_pattern("a/*", "a/B.c"));
  EXPECT_TRUE(matches_pattern("*.c", "a/B.c"));
  EXPECT_TRUE(matches_pattern("*B*", "a/B.c"));
  EXPECT_TRUE(matches_pattern("*", "anything"));
  EXPECT_FALSE(matches_pattern("*b*", "a/B.c"));
  EXPECT_FALSE(matches_pattern("", "a"));
}

std::string collapsed(std::vector<std::string> include, std::vector<std::string> exclude) {
  Profile profile;
  profile.value_types = {{"samples", "count"}};
  add(profile, {{"main", FrameKind::kJit}, {"parse", FrameKind::kJit}}, {1});
  add(profile, {{"main", FrameKind::kJit}, {"parse", FrameKind::kJit}, {"read", FrameKind::kKernel}}, {2});
  add(profile, {{"main", FrameKind::kJit}, {"write", FrameKind::kJit}}, {4});
  WriteOptions options;
  options.include = std::move(include);
  options.exclude = std::move(exclude);
  return write_collapsed(profile, options);
}

TEST(StackFilter, KeepsWholeStacks) {
  EXPECT_EQ(collapsed({"parse"}, {}), "main;parse 1\nmain;parse;read_[k] 2\n");
  EXPECT_EQ(collapsed({"wri*", "read_[k]"}, {}), "main;parse;read_[k] 2\nmain;write 4\n");
  EXPECT_EQ(collapsed({}, {"parse"}), "main;write 4\n");
  EXPECT_EQ(collapsed({"parse"}, {"read"}), "main;parse 1\n");
  EXPECT_EQ(collapsed({"nothing"}, {}), "");
}

}  // namespace
}  // namespace hearth::profile
