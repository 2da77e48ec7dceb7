#include "profile/model/event_view.h"

#include <gtest/gtest.h>

#include "profile/page/page_data.h"
#include "sample_profile.h"

namespace hearth::profile {
namespace {

LabelSetId in_state(Profile& profile, const char* state) {
  return profile.label_set({{"thread", "main", 0, ""}, {"state", state, 0, ""}});
}

Profile cpu_and_wall() {
  Profile profile;
  profile.value_types = {{"samples", "count"}, {"cpu", "nanoseconds", 10'000'000}, {"wall", "nanoseconds", 50'000'000}};
  profile.metadata.event = "ctimer, wall";
  profile.metadata.interval = 50'000'000;
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

TEST(EventView, TheProfileDefinesTheFirstEvent) {
  Profile profile = cpu_and_wall();
  profile.metadata.shown_event = "wall";
  std::string of_wall = collapsed(profile, "wall", Lens::kTotal);
  EXPECT_EQ(collapsed(profile, "", Lens::kTotal), of_wall);
  EXPECT_EQ(collapsed(profile, "cpu", Lens::kTotal), "A.main;A.work 30\n");
  EXPECT_EQ(read(write(profile, Format::kFlameGraph, {})).metadata.shown_event, "wall");
  Profile stored = read(write(profile, Format::kPprof, {}));
  EXPECT_EQ(stored.metadata.shown_event, "wall");
  EXPECT_EQ(collapsed(stored, "", Lens::kTotal), of_wall);
  EXPECT_EQ(collapsed(only_events(profile, {"cpu"}), "", Lens::kTotal), "A.main;A.work 30\n");
  WriteOptions asked;
  asked.event = "cpu";
  EXPECT_EQ(read(write(profile, Format::kPprof, asked)).metadata.shown_event, "cpu");
}

TEST(EventView, APartHasItsEventsAlone) {
  Profile wall = only_events(cpu_and_wall(), {"wall"});
  ASSERT_EQ(wall.value_types.size(), 2u);
  EXPECT_EQ(wall.value_types[1].type, "wall");
  EXPECT_EQ(wall.metadata.event, "wall");
  EXPECT_EQ(wall.sample_count(), 3u);
  EXPECT_EQ(collapsed(wall, "", Lens::kTotal), collapsed(cpu_and_wall(), "wall", Lens::kTotal));
  Profile cpu = only_events(cpu_and_wall(), {"cpu"});
  EXPECT_EQ(collapsed(cpu, "", Lens::kSamples), "A.main;A.work 3\n");
  EXPECT_EQ(cpu.functions().size(), 2u);  // not those that only others use
  EXPECT_THROW(only_events(cpu, {"alloc"}), FormatError);
}

TEST(EventView, AllocationsHaveTwoValuesOfTheirOwn) {
  Profile profile;
  profile.value_types = {
      {"samples", "count"}, {"cpu", "nanoseconds"}, {"alloc_objects", "count"}, {"alloc_space", "bytes"}};
  add(profile, {{"A.main", FrameKind::kJit}}, {3, 30, 0, 0});
  add(profile, {{"A.main", FrameKind::kJit}, {"byte[]", FrameKind::kClass}}, {0, 0, 5, 500});
  EXPECT_EQ(collapsed(profile, "", Lens::kTotal), "A.main 30\n");
  EXPECT_EQ(collapsed(profile, "alloc", Lens::kSamples), "A.main;byte[] 5\n");
  EXPECT_EQ(collapsed(profile, "alloc", Lens::kTotal), "A.main;byte[] 500\n");

  Profile alone;
  alone.value_types = {{"alloc_objects", "count"}, {"alloc_space", "bytes"}};
  add(alone, {{"byte[]", FrameKind::kClass}}, {5, 500});
  EXPECT_FALSE(view_of(alone, Format::kCollapsed, {}).has_value());
  EXPECT_EQ(collapsed(alone, "alloc", Lens::kTotal), "byte[] 500\n");
}

TEST(EventView, LiveObjectsAreShownFirst) {
  Profile profile;
  profile.value_types = {
      {"alloc_objects", "count"}, {"alloc_space", "bytes"}, {"inuse_objects", "count"}, {"inuse_space", "bytes"}};
  add(profile, {{"A.main", FrameKind::kJit}, {"byte[]", FrameKind::kClass}}, {5, 500, 2, 200});
  EXPECT_EQ(collapsed(profile, "", Lens::kTotal), "A.main;byte[] 200\n");
  EXPECT_EQ(collapsed(profile, "live", Lens::kSamples), "A.main;byte[] 2\n");
  EXPECT_EQ(collapsed(profile, "alloc", Lens::kTotal), "A.main;byte[] 500\n");
}

TEST(EventView, ProfilesOfOtherToolsHaveNoEvents) {
  Profile heap;
  heap.value_types = {{"alloc_objects", "count"}, {"alloc_space", "bytes"}, {"inuse_objects", "count"}};
  EXPECT_TRUE(events_of(heap).empty());
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

TEST(EventView, AStateIsOneFrameHoweverOftenItIsWritten) {
  std::string page = write(cpu_and_wall(), Format::kFlameGraph, {});
  EXPECT_EQ(write(read(page), Format::kFlameGraph, {}), page);
  EXPECT_EQ(collapsed(read(page), "wall", Lens::kTotal), collapsed(cpu_and_wall(), "wall", Lens::kTotal));
}

TEST(EventView, EachEventKeepsItsOwnInterval) {
  Profile profile = cpu_and_wall();
  for (Format format : {Format::kPprof, Format::kFlameGraph}) {
    Profile back = read(write(profile, format, {}));
    EXPECT_EQ(events_text(back), "ctimer every 10.0 ms, wall every 50.0 ms");
    WriteOptions options;
    for (auto [event, text] : {std::pair("cpu", "cpu every 10.0 ms"), std::pair("wall", "wall every 50.0 ms")}) {
      options.event = event;
      EXPECT_EQ(events_text(*view_of(back, Format::kFlat, options)), text);
    }
  }
  // As it was stored before each event had its own.
  for (ValueType& type : profile.value_types) type.interval = 0;
  WriteOptions cpu;
  cpu.event = "cpu";
  EXPECT_EQ(events_text(*view_of(profile, Format::kFlat, cpu)), "cpu");
  EXPECT_EQ(events_text(profile), "ctimer, wall every 50.0 ms");
}

TEST(EventView, ThePageOpensOnOneEvent) {
  auto lens = [](const char* event) {
    WriteOptions options;
    options.event = event;
    std::string payload = encode_page_data(cpu_and_wall(), options);
    size_t at = payload.find("\"lens\":");
    return payload.substr(at, payload.find(',', at) - at);
  };
  EXPECT_EQ(lens(""), "\"lens\":1");
  EXPECT_EQ(lens("cpu"), "\"lens\":1");
  EXPECT_EQ(lens("wall"), "\"lens\":2");
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
