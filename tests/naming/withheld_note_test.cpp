#include "naming/notes/withheld_note.h"

#include <gtest/gtest.h>

namespace hearth::naming {
namespace {

TEST(WithheldNote, TellsWhatIsAPercentOrMore) {
  constexpr int64_t kDuration = 10'000;
  EXPECT_EQ(withheld_note({1, 99, 99}, kDuration), "");
  EXPECT_EQ(withheld_note({1, 5000, 5000}, 0), "");
  EXPECT_EQ(withheld_note({1, 3400, 0}, kDuration),
            "for 34 % of the time no thread could run, as the cgroup's CPU limit was used up");
  EXPECT_EQ(withheld_note({1, 100, 500}, kDuration),
            "for 1 % of the time no thread could run, as the cgroup's CPU limit was used up; the host of this virtual "
            "machine took 5 % of the CPU time");
}

}  // namespace
}  // namespace hearth::naming
