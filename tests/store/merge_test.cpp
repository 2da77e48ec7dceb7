#include "profile/model/merged_profile.h"

#include <gtest/gtest.h>

#include "profile/formats/formats.h"
#include "profile/model/event_view.h"

namespace hearth::profile {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

Profile of_event(const std::string& type, const std::string& unit, int64_t begins, int64_t weight) {
  Profile profile;
  profile.value_types = {{"samples", "count"}, {type, unit, weight}};
  profile.metadata.event = type;
  profile.metadata.start_unix_ns = begins * kSecond;
  profile.metadata.duration_ns = 60 * kSecond;
  NodeId outer = profile.child(0, profile.location(profile.function("a.Main.main", FrameKind::kJit), 0));
  NodeId inner = profile.child(outer, profile.location(profile.function(type + ".work", FrameKind::kJit), 7));
  int64_t values[] = {1, weight};
  profile.add(inner, profile.label_set({{"thread", "pool-1-thread-7", 0, ""}, {"tid", "", 4711, ""}}), values);
  profile.quality.samples = 1;
  profile.quality.engine = "ctimer";
  profile.quality.walk_ns_p99 = weight;
  profile.quality.notes = {"same"};
  return profile;
}

TEST(MergedProfile, PutsStacksOfOneNameTogether) {
  MergedProfile merged;
  merged.add(of_event("cpu", "nanoseconds", 100, 5), 0);
  merged.add(of_event("cpu", "nanoseconds", 160, 8), 0);
  Profile sum = merged.take();
  ASSERT_EQ(sum.sample_count(), 1u);
  EXPECT_EQ(sum.values(0)[0], 2);
  EXPECT_EQ(sum.values(0)[1], 13);
  EXPECT_EQ(sum.value_types[1].interval, 8);  // the longer of both
  EXPECT_EQ(sum.metadata.start_unix_ns, 100 * kSecond);
  EXPECT_EQ(sum.metadata.duration_ns, 120 * kSecond);
  EXPECT_EQ(sum.quality.samples, 2u);
  EXPECT_EQ(sum.quality.walk_ns_p99, 8);
  EXPECT_EQ(sum.quality.notes.size(), 1u);
  EXPECT_EQ(sum.quality.engine, "ctimer");
}

TEST(MergedProfile, TakesValuesThatOnlySomeHave) {
  MergedProfile merged;
  merged.add(of_event("cpu", "nanoseconds", 100, 5), 0);
  merged.add(of_event("alloc_space", "bytes", 100, 512), 1);
  Profile sum = merged.take();
  ASSERT_EQ(sum.value_types.size(), 3u);
  EXPECT_EQ(sum.value_types[2].unit, "bytes");
  ASSERT_EQ(sum.sample_count(), 2u);
  EXPECT_EQ(sum.values(0)[1], 5);
  EXPECT_EQ(sum.values(0)[2], 0);
  EXPECT_EQ(sum.sample(0).time, 0u);
  EXPECT_EQ(sum.values(1)[0], 1);
  EXPECT_EQ(sum.values(1)[1], 0);
  EXPECT_EQ(sum.values(1)[2], 512);
  EXPECT_EQ(sum.sample(1).time, 1u);
  EXPECT_EQ(sum.metadata.event, "cpu, alloc_space");
  EXPECT_TRUE(merged.is_empty());
}

Profile of_allocations(int64_t bytes) {
  Profile profile = of_event("cpu", "nanoseconds", 100, 1);
  profile.value_types = {{"alloc_objects", "count"}, {"alloc_space", "bytes", 512}};
  profile.metadata.interval = 512;
  int64_t values[] = {1, bytes - 1};
  profile.add(0, 0, values);
  return profile;
}

TEST(MergedProfile, HasItsValuesInOneOrderWhicheverCameFirst) {
  MergedProfile merged;
  merged.add(of_allocations(4096));
  merged.add(of_event("wall", "nanoseconds", 100, 50));
  merged.add(of_event("cpu", "nanoseconds", 100, 5));
  Profile sum = merged.take();
  std::vector<std::string> types, events;
  for (const ValueType& type : sum.value_types) types.push_back(type.type);
  EXPECT_EQ(types, (std::vector<std::string>{"samples", "cpu", "wall", "alloc_objects", "alloc_space"}));
  for (const ProfileEvent& event : events_of(sum)) events.push_back(event.name);
  EXPECT_EQ(events, (std::vector<std::string>{"cpu", "wall", "alloc"}));
  int64_t bytes = 0, ns = 0;
  for (size_t index = 0; index < sum.sample_count(); index++) {
    ns += sum.values(index)[1];
    bytes += sum.values(index)[4];
  }
  EXPECT_EQ(ns, 5);
  EXPECT_EQ(bytes, 4096);
  EXPECT_EQ(sum.metadata.interval, 512);
}

TEST(MergedProfile, ChangesAndDropsLabels) {
  MergedProfile merged([](Label* label) {
    label->text += "!";
    return label->key != "tid";
  });
  merged.add(of_event("cpu", "nanoseconds", 100, 5));
  Profile sum = merged.take();
  const LabelSet& labels = sum.label_sets()[sum.sample(0).labels];
  ASSERT_EQ(labels.size(), 1u);
  EXPECT_EQ(labels[0].text, "pool-1-thread-7!");
}

}  // namespace
}  // namespace hearth::profile
