#include "session/counting/live_profile.h"

#include <gtest/gtest.h>

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
