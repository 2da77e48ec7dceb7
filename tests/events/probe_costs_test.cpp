#include "events/threads/probe_costs.h"

#include <gtest/gtest.h>

namespace hearth::events {
namespace {

TEST(ProbeCosts, ProbesOfSeveralClocksFormOneRange) {
  ProbeCosts times;
  times.clock_begins();
  times.clock_begins();
  times.answered(7, 100, 130);
  times.answered(7, 130, 160);
  EXPECT_TRUE(times.only_answered(7, 100, 160));
  EXPECT_TRUE(times.only_answered(7, 130, 160));
  EXPECT_FALSE(times.only_answered(7, 90, 160)) << "it ran before it was asked";
  EXPECT_FALSE(times.only_answered(7, 100, 170)) << "it has run since";
  EXPECT_FALSE(times.only_answered(8, 100, 160));
  times.answered(7, 170, 200);
  EXPECT_FALSE(times.only_answered(7, 130, 200)) << "it ran between two questions";
  times.forget(7);
  EXPECT_FALSE(times.only_answered(7, 170, 200));
}

TEST(ProbeCosts, OneClockAloneKeepsNothing) {
  ProbeCosts times;
  times.clock_begins();
  times.answered(7, 100, 130);
  EXPECT_FALSE(times.only_answered(7, 100, 130));
  times.clock_begins();
  times.answered(7, 100, 130);
  times.clock_ends();
  EXPECT_FALSE(times.only_answered(7, 100, 130));
}

}  // namespace
}  // namespace hearth::events
