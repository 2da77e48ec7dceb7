#include "profile/model/profile.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "sample_profile.h"

namespace hearth::profile {
namespace {

TEST(Profile, InternsEverything) {
  Profile profile;
  EXPECT_EQ(profile.string(""), 0u);
  EXPECT_EQ(profile.string("a"), profile.string("a"));
  EXPECT_NE(profile.string("a"), profile.string("b"));
  FunctionId jit = profile.function("f", FrameKind::kJit);
  EXPECT_EQ(jit, profile.function("f", FrameKind::kJit));
  EXPECT_NE(jit, profile.function("f", FrameKind::kInlined));
  EXPECT_EQ(profile.location(jit, 3), profile.location(jit, 3));
  EXPECT_NE(profile.location(jit, 3), profile.location(jit, 4));
  NodeId node = profile.child(0, profile.location(jit, 3));
  EXPECT_EQ(node, profile.child(0, profile.location(jit, 3)));
  EXPECT_NE(node, profile.child(node, profile.location(jit, 3)));
}

TEST(Profile, ReservedNodesAreInternedAsOthers) {
  Profile profile;
  LocationId location = profile.location(profile.function("f", FrameKind::kNative), 0);
  NodeId before = profile.child(0, location);
  profile.reserve(1000, 1000);
  EXPECT_EQ(profile.child(0, location), before);
  NodeId deeper = profile.child(before, location);
  EXPECT_EQ(deeper, before + 1);
  EXPECT_EQ(profile.child(before, location), deeper);
}

// Right behind its parent, asked for last, in the index: all ways in which a child is found.
TEST(Profile, ManyChildrenAreInternedInWhateverOrder) {
  Profile profile;
  FunctionId function = profile.function("f", FrameKind::kJit);
  NodeId parents[] = {0, profile.child(0, profile.location(function, 0))};
  std::vector<std::pair<NodeId, uint32_t>> made;
  for (uint32_t line = 1; line <= 50; ++line)
    for (NodeId parent : parents) made.emplace_back(profile.child(parent, profile.location(function, line)), line);
  for (int packed = 0; packed < 2; ++packed) {
    for (size_t i = 0; i < made.size(); ++i) {
      size_t at = i * 37 % made.size();
      EXPECT_EQ(profile.child(parents[at % 2], profile.location(function, made[at].second)), made[at].first);
    }
    EXPECT_EQ(profile.nodes().size(), 102u);
    profile.pack();
  }
}

TEST(Profile, APackedProfileAcceptsMore) {
  Profile profile = counted();
  LabelSetId labels = profile.label_set({{"a", "x", 0, ""}});
  int64_t one = 1;
  auto add_all = [&] {
    for (LabelSetId set : {LabelSetId{0}, labels})
      for (TimeStep time : {TimeStep{3}, kNoTime})
        profile.add(stack(profile, {{"f", FrameKind::kJit}}), set, &one, time);
  };
  add_all();
  profile.pack();
  add_all();
  ASSERT_EQ(profile.sample_count(), 4u);
  for (size_t sample = 0; sample < 4; ++sample) EXPECT_EQ(profile.values(sample)[0], 2);
  EXPECT_EQ(profile.nodes().size(), 2u);
}

TEST(Profile, TheRootIsNobodysChild) {
  Profile profile;
  NodeId node = profile.child(0, profile.location(profile.function("f", FrameKind::kJit), 0));
  EXPECT_NE(node, 0u);
}

TEST(Profile, LabelSetsAreSorted) {
  Profile profile;
  Label a{"a", "x", 0, ""};
  Label b{"b", "", 7, "bytes"};
  EXPECT_EQ(profile.label_set({}), 0u);
  EXPECT_EQ(profile.label_set({a, b}), profile.label_set({b, a}));
  EXPECT_NE(profile.label_set({a}), profile.label_set({b}));
}

TEST(Profile, AddsToTheSameSample) {
  Profile profile;
  profile.value_types = {{"samples", "count"}, {"cpu", "nanoseconds"}};
  add(profile, {{"f", FrameKind::kJit}}, {1, 10});
  add(profile, {{"f", FrameKind::kJit}}, {2, 20});
  ASSERT_EQ(profile.sample_count(), 1u);
  EXPECT_EQ(profile.values(0)[0], 3);
  EXPECT_EQ(profile.values(0)[1], 30);
}

TEST(Profile, SumsStayAtTheEndsOfTheScale) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
  EXPECT_EQ(saturating_sum(kMost, 1), kMost);
  EXPECT_EQ(saturating_sum(kLeast, -1), kLeast);
  EXPECT_EQ(saturating_sum(kMost, -1), kMost - 1);
  Profile profile;
  profile.value_types = {{"samples", "count"}};
  add(profile, {{"f", FrameKind::kJit}}, {kMost});
  add(profile, {{"f", FrameKind::kJit}}, {kMost});
  EXPECT_EQ(profile.values(0)[0], kMost);
}

TEST(Profile, AStackWithoutFramesIsUnknown) {
  Profile profile;
  profile.value_types = {{"samples", "count"}};
  add(profile, {}, {5});
  ASSERT_EQ(profile.sample_count(), 1u);
  EXPECT_EQ(profile.function_name(profile.function_of(profile.sample(0).stack)), "[unknown]");
}

TEST(Profile, TextsStayWhereTheyAreAfterAMove) {
  Profile profile;
  std::string_view small = profile.text(profile.string("a name"));
  std::string_view large = profile.text(profile.string(std::string(200'000, 'x')));
  for (int i = 0; i < 100'000; ++i) profile.string("name " + std::to_string(i));
  Profile moved = std::move(profile);
  EXPECT_EQ(small, "a name");
  EXPECT_EQ(large, std::string(200'000, 'x'));
  EXPECT_EQ(moved.text(moved.string("name 4711")), "name 4711");
  EXPECT_EQ(moved.strings().size(), 100'003u);
}

}  // namespace
}  // namespace hearth::profile
