#include "session/counting/live_profile.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "capture/recorder.h"
#include "events/handlers/native_hooks.h"

namespace hearth::session {
namespace {

TEST(LiveProfile, ANoteReportsObjectsThatNoCollectionHasExamined) {
  EXPECT_EQ(uncollected_note(12'300'000, 2'500'000'000),
            "live is as of the last collection, 2.50 s before the end, as a JVM that ends collects no garbage; 12.3 MB "
            "were allocated after it (age 0), and some of that may be garbage");
  EXPECT_EQ(uncollected_note(12'300'000, std::nullopt),
            "live contains every sampled object, garbage too: no garbage was collected while the session ran, and a "
            "JVM that ends collects none");
}

TEST(NativeLive, SamplesHaveAgesAndTimesOfTheirAllocation) {
  NativeLive live;
  events::LiveAllocations* table = live.begin().table;
  constexpr uint64_t kSecond = 1'000'000'000, kSizeClass = 7;
  uint64_t now = capture::now_ns();
  for (uint64_t seconds : {0, 5, 5, 30, 120}) {
    uint64_t born = now - seconds * kSecond;
    table->add(born, {born, 100, 1, 1, 2, 0, 0, kSizeClass});
  }
  auto parts =
      live.samples(3, [&](uint64_t time_ns) { return static_cast<profile::TimeStep>((now - time_ns) / kSecond); });
  ASSERT_EQ(parts.size(), 4U);
  std::map<profile::TimeStep, std::string> ages;
  for (const SampleCounts::Part& part : parts) {
    ages[part.time] = native_age_word(part.key.state);
    EXPECT_EQ(size_class_of_native_live(part.key.state), kSizeClass);
    EXPECT_EQ(part.key.event, 3U);
  }
  EXPECT_EQ(ages, (std::map<profile::TimeStep, std::string>{
                      {0, "under 1 s"}, {5, "1-10 s"}, {30, "10-60 s"}, {120, "1-10 min"}}));
  EXPECT_STREQ(native_age_word(state_of_native_live(7200 * kSecond, UINT8_MAX)), "over 1 h");
}

TEST(NativeLive, GoesOnWithWhatAnotherFollowed) {
  NativeLive before;
  events::LiveAllocations* table = before.begin().table;
  events::forget_native_memory();  // as its source does at its start
  table->add(64, {1, 100, 1, 1, 2, 0, 0, 0});
  table->add(128, {1, 100, 1, 1, 3, 0, 0, 0});
  NativeLive after;
  after.inherit(before, [](events::LiveAllocations::Allocation* one) {
    bool has_space = one->stack == 2;
    one->stack = 20;
    return has_space;
  });
  EXPECT_EQ(after.since_unix_ns(), before.since_unix_ns());
  NativeLive::Begun begun = after.begin();
  EXPECT_TRUE(begun.goes_on);
  ASSERT_EQ(after.samples(1, SampleCounts::no_time).size(), 1U);
  EXPECT_EQ(after.samples(1, SampleCounts::no_time)[0].key.stack, 20U);
  events::LiveAllocations::Allocation freed;
  EXPECT_TRUE(begun.table->take(64, &freed));
  EXPECT_FALSE(after.begin().goes_on) << "after a pause";
}

TEST(NativeLive, DoesNotGoOnAfterHooksOfOthers) {
  NativeLive before;
  before.begin();
  events::forget_native_memory();
  events::forget_native_memory();  // another source started meanwhile
  NativeLive after;
  after.inherit(before, [](events::LiveAllocations::Allocation*) { return true; });
  EXPECT_EQ(after.since_unix_ns(), 0);
  EXPECT_FALSE(after.begin().goes_on);
}

TEST(NativeLive, HasANoteAfterAResume) {
  NativeLive live;
  EXPECT_EQ(live.note(), "");
  live.begin();
  EXPECT_EQ(live.note(), "");
  live.begin();
  EXPECT_NE(live.note().find("begins with the last resume"), std::string::npos);
}

}  // namespace
}  // namespace hearth::session
