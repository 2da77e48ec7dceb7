#include "session/counting/live_profile.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "capture/recorder.h"

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
