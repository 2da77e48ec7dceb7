#include "profile/model/allocation_time.h"

#include <gtest/gtest.h>

namespace hearth::profile {
namespace {

TEST(AllocationTime, IsCoarserForOlderAllocations) {
  EXPECT_EQ(allocation_step(0), 1);
  EXPECT_EQ(allocation_step(31), 1);
  EXPECT_EQ(allocation_step(32), 2);
  EXPECT_EQ(allocation_step(86'400), 4096);
  EXPECT_EQ(coarse_allocation(1'000'003, 1'000'004), 1'000'003);
  EXPECT_EQ(coarse_allocation(1'000'003, 1'000'103), 1'000'000);
}

TEST(AllocationTime, IsReadAsItWasWritten) {
  constexpr int64_t kMoment = 1'795'687'320;
  EXPECT_EQ(allocation_text(kMoment), "2026-11-26T10:02:00Z");
  EXPECT_EQ(allocation_of_text(allocation_text(kMoment)), kMoment);
  EXPECT_FALSE(allocation_of_text("yesterday"));
  EXPECT_FALSE(allocation_of_text("2026-11-26T10:02:00Z and more"));
}

}  // namespace
}  // namespace hearth::profile
