// Live memory of successive windows, which is not added up.
#include <gtest/gtest.h>

#include "profile/formats/formats.h"
#include "profile/model/merged_profile.h"

namespace hearth::profile {
namespace {

Profile window(int64_t looked_at_ns, int64_t cpu, int64_t live, const char* site) {
  Profile profile;
  profile.value_types = {{"cpu", "nanoseconds"}, {"native_inuse_space", "bytes", 0, 0, 7, looked_at_ns}};
  int64_t values[] = {cpu, live};
  profile.add(profile.child(0, profile.location(profile.function(site, FrameKind::kNative), 0)), profile.label_set({}),
              values);
  return profile;
}

int64_t sum(const Profile& profile, size_t type) {
  int64_t sum = 0;
  for (size_t i = 0; i < profile.sample_count(); ++i) sum += profile.values(i)[type];
  return sum;
}

TEST(LiveMerge, KeepsTheLatestLookInAnyOrder) {
  MergedProfile merged(nullptr, MergedProfile::Live::kLatest);
  merged.add(window(20, 1, 200, "second"));
  merged.add(window(30, 1, 300, "third"));
  merged.add(window(10, 1, 100, "first"));
  Profile profile = merged.take();
  EXPECT_EQ(sum(profile, 0), 3);
  EXPECT_EQ(sum(profile, 1), 300);
  EXPECT_EQ(profile.value_types[1].looked_at_ns, 30);
  EXPECT_EQ(profile.value_types[1].followed_since_ns, 7);
  EXPECT_TRUE(merged.is_empty());
}

TEST(LiveMerge, OfProcessesIsASum) {
  MergedProfile merged;
  merged.add(window(20, 1, 200, "one"));
  merged.add(window(30, 1, 300, "other"));
  EXPECT_EQ(sum(merged.take(), 1), 500);
}

TEST(LiveMerge, FilesHaveTheTimesOfLooks) {
  Profile profile = read(write_pprof(window(20, 1, 200, "site"), {}));
  EXPECT_EQ(profile.value_types[1].looked_at_ns, 20);
  EXPECT_EQ(profile.value_types[1].followed_since_ns, 7);
  EXPECT_EQ(profile.value_types[0].looked_at_ns, 0);
}

}  // namespace
}  // namespace hearth::profile
