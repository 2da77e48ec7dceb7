#include "naming/notes/withheld_note.h"

#include <gtest/gtest.h>

namespace hearth::naming {
namespace {

using Notes = std::vector<std::string>;
constexpr int64_t kDuration = 10'000;

TEST(WithheldNote, TellsTheShareOfTheTimeThatThreadsWantedACpu) {
  EXPECT_EQ(
      withheld_notes({0.34, 3000, 0, 0}, kDuration),
      Notes({"threads got no CPU for 34 % of the time that they wanted one, as the cgroup's CPU limit was used up"}));
  EXPECT_EQ(withheld_notes({0, 0, 0.05, 500}, kDuration),
            Notes({"the host of this virtual machine took 5 % of the CPU time that was wanted"}));
  EXPECT_EQ(withheld_notes({0.34, 3000, 0.05, 500}, kDuration).size(), 2U);
}

TEST(WithheldNote, IsSilentOnWhatIsLittle) {
  EXPECT_EQ(withheld_notes({}, kDuration), Notes());
  EXPECT_EQ(withheld_notes({0.5, 99, 0.5, 99}, kDuration), Notes()) << "of a process that hardly ran";
  EXPECT_EQ(withheld_notes({0.009, 9000, 0.009, 9000}, kDuration), Notes());
}

}  // namespace
}  // namespace hearth::naming
