#include "profile/event_view.h"

#include <gtest/gtest.h>

#include "sample_profile.h"

namespace hearth::profile {
namespace {

LabelSetId in_state(Profile& profile, const char* state) {
  return profile.label_set({{"thread", "main", 0, ""}, {"state", state, 0, ""}});
}

Profile cpu_and_wall() {
  Profile profile;
  profile.value_types = {{"samples", "count"}, {"cpu", "nanoseconds"}, {"wall", "nanoseconds"}};
  profile.metadata.event = "cpu, wall";
  profile.quality.engine = "ctimer and wall";
  Stack work = {{"A.main", FrameKind::kJit}, {"A.work", FrameKind::kJit}};
  add(profile, work, {3, 30, 0}, profile.label_set({{"thread", "main", 0, ""}}));
  add(profile, work, {2, 0, 100}, in_state(profile, "running"));
  add(profile, work, {1, 0, 50}, in_state(profile, "runnable"));
  add(profile, {{"A.main", FrameKind::kJit}, {"A.rest", FrameKind::kJit}}, {4, 0, 200}, in_state(profile, "parked"));
  return profile;
}

std::string collapsed(const Profile& profile, const char* event, Lens lens) {
  WriteOptions options;
  options.event = event;
  options.lens = lens;
  return write(profile, Format::kCollapsed, options);
}

TEST(EventView, TextShowsTheFirstEventOrTheOneAskedFor) {
  Profile profile = cpu_and_wall();
  EXPECT_EQ(collapsed(profile, "", Lens::kSamples), "A.main;A.work 3\n");
  EXPECT_EQ(collapsed(profile, "cpu", Lens::kTotal), "A.main;A.work 30\n");
  EXPECT_EQ(collapsed(profile, "wall", Lens::kTotal),
            "A.main;A.rest;[parked] 200\nA.main;A.work 100\nA.main;A.work;[runnable] 50\n");
  EXPECT_EQ(collapsed(profile, "wall", Lens::kSamples),
            "A.main;A.rest;[parked] 4\nA.main;A.work 2\nA.main;A.work;[runnable] 1\n");
}

TEST(EventView, AnEventThatIsNotThereIsRefused) {
  try {
    collapsed(cpu_and_wall(), "alloc", Lens::kTotal);
    FAIL() << "accepted";
  } catch (const FormatError& error) {
    EXPECT_STREQ(error.what(), "the profile has no event alloc; it has cpu, wall");
  }
}

TEST(EventView, ThePageHasAllEvents) {
  Profile page = read_flame_graph(write(cpu_and_wall(), Format::kFlameGraph, {}));
  ASSERT_EQ(page.value_types.size(), 3u);
  EXPECT_EQ(page.value_types[2].type, "wall");
  std::string text = dump(page);
  EXPECT_NE(text.find("[parked]"), std::string::npos) << text;
  EXPECT_EQ(text.find("[running]"), std::string::npos) << text;
}

TEST(EventView, PprofKeepsTheStateAsALabel) {
  Profile profile = cpu_and_wall();
  EXPECT_FALSE(view_of(profile, Format::kPprof, {}).has_value());
  Profile back = read_pprof(write(profile, Format::kPprof, {}));
  EXPECT_EQ(collapsed(back, "wall", Lens::kTotal), collapsed(profile, "wall", Lens::kTotal));
}

TEST(EventView, AProfileOfOneEventWithoutStatesIsItsOwn) {
  Profile profile = sample_profile();
  EXPECT_FALSE(view_of(profile, Format::kCollapsed, {}).has_value());
  EXPECT_FALSE(view_of(profile, Format::kFlameGraph, {}).has_value());
}

}  // namespace
}  // namespace hearth::profile
