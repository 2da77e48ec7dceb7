#include "profile/model/preorder_builder.h"

#include <gtest/gtest.h>

#include "profile/formats/formats.h"
#include "sample_profile.h"

namespace hearth::profile {
namespace {

constexpr FrameKind kJit = FrameKind::kJit;

// Fills one profile with it and another one without, and compares the contents of both.
class Both {
 public:
  explicit Both(bool is_in_preorder = true) : builder_(&built_, is_in_preorder) {}

  void add(const std::vector<std::string>& frames, int64_t value, TimeStep time = kNoTime) {
    NodeId stack = 0, plain = 0;
    for (const std::string& name : frames) {
      stack = builder_.child(stack, built_.location(built_.function(name, kJit), 0));
      plain = plain_.child(plain, plain_.location(plain_.function(name, kJit), 0));
    }
    builder_.add(stack, 0, &value, time);
    plain_.add(plain, 0, &value, time);
  }

  void expect_equal() const {
    EXPECT_EQ(write_collapsed(built_, {}), write_collapsed(plain_, {}));
    ASSERT_EQ(built_.nodes().size(), plain_.nodes().size());
    ASSERT_EQ(built_.sample_count(), plain_.sample_count());
    for (size_t at = 0; at < built_.sample_count(); ++at) {
      EXPECT_EQ(built_.sample(at).stack, plain_.sample(at).stack);
      EXPECT_EQ(built_.values(at)[0], plain_.values(at)[0]);
    }
  }
  Profile& built() { return built_; }

 private:
  Profile built_ = counted(), plain_ = counted();
  PreorderBuilder builder_;
};

TEST(PreorderBuilder, EqualsAProfileForStacksInPreorder) {
  Both both;
  both.add({"a"}, 1);
  both.add({"a", "b", "c"}, 2);
  both.add({"a", "b", "d"}, 3);
  both.add({"a", "e"}, 4);
  both.add({"f"}, 5);
  both.expect_equal();
}

TEST(PreorderBuilder, AddsUpOneStackAtOneTime) {
  Both both;
  for (TimeStep round = 0; round < 3; ++round)
    for (TimeStep time = 0; time < 30; ++time) both.add({"a", "b"}, 1 + time, time);
  both.add({"a", "c"}, 7, 3);
  both.add({"a", "c"}, 7, 3);
  both.expect_equal();
  EXPECT_EQ(both.built().sample_count(), 31u);
}

TEST(PreorderBuilder, KeepsAProfileWholeWhereStacksComeAnyhow) {
  for (bool promised : {true, false}) {
    Both both(promised);
    both.add({"a", "b"}, 1);
    both.add({"c"}, 2);
    both.add({"a", "b"}, 3);
    both.add({"a", "d"}, 4);
    both.add({}, 5);
    both.add({"c"}, 6);
    both.add({}, 7);
    both.expect_equal();
  }
}

TEST(PreorderBuilder, OthersMayGoOn) {
  Both both;
  both.add({"a", "b"}, 1);
  both.add({"a", "c"}, 2);
  Profile& profile = both.built();
  size_t nodes = profile.nodes().size();
  add(profile, {{"a", kJit}, {"b", kJit}}, {1});
  EXPECT_EQ(profile.nodes().size(), nodes);
  EXPECT_EQ(profile.sample_count(), 2u);
}

TEST(PreorderBuilder, AppendsNewNodes) {
  Profile profile = counted();
  PreorderBuilder builder(&profile, true);
  LocationId a = profile.location(profile.function("a", kJit), 0), b = profile.location(profile.function("b", kJit), 0);
  NodeId outer = builder.append(0, a), inner = builder.append(outer, b);
  int64_t value = 1;
  builder.add(inner, 0, &value, kNoTime);
  builder.add(builder.child(builder.child(0, a), b), 0, &value, kNoTime);
  EXPECT_EQ(profile.nodes().size(), 3u);
  EXPECT_EQ(write_collapsed(profile, {}), "a;b 2\n");
}

TEST(PreorderBuilder, AppendsToExistingNodes) {
  Profile profile = read_collapsed("a;b 1\nc 2\n");
  int64_t value = 3;
  PreorderBuilder later(&profile, true);
  later.add(later.child(0, profile.location(profile.function("d", kJit), 0)), 0, &value, kNoTime);
  EXPECT_EQ(write_collapsed(profile, {}), "a;b 1\nc 2\nd 3\n");
  PreorderBuilder again(&profile, true);
  again.add(again.child(0, profile.nodes()[1].location), 0, &value, kNoTime);
  EXPECT_EQ(profile.nodes().size(), 5u);
  EXPECT_EQ(write_collapsed(profile, {}), "a 3\na;b 1\nc 2\nd 3\n");
}

}  // namespace
}  // namespace hearth::profile
