#include "naming/notes/allocation_notes.h"

#include <gtest/gtest.h>

namespace hearth::naming {
namespace {

profile::Quality counted(uint64_t allocated, uint64_t sampled) {
  profile::Quality quality;
  quality.allocated_bytes = allocated;
  quality.sampled_bytes = sampled;
  return quality;
}

TEST(AllocationNotes, ReportThatSamplesAccountForLessThanChanceExplains) {
  EXPECT_TRUE(allocation_notes(counted(1000, 950), {10'000, 0, true}).empty());
  EXPECT_TRUE(allocation_notes(counted(1000, 700), {100, 0, true}).empty()) << "of a hundred samples";
  std::vector<std::string> notes = allocation_notes(counted(1000, 4), {500, 0, false});
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_NE(notes[0].find("account for 0.4 %"), std::string::npos) << notes[0];
  EXPECT_EQ(allocation_notes(counted(1000, 1300), {500, 0, true}).size(), 1U);
  EXPECT_TRUE(allocation_notes(counted(0, 1300), {500, 0, true}).empty()) << "nothing to compare with";
}

TEST(AllocationNotes, ReportFrequentThreadStarts) {
  EXPECT_TRUE(allocation_notes(counted(1000, 1000), {10'000, 200, true}).empty());
  EXPECT_TRUE(allocation_notes(counted(1000, 1000), {100, 50, true}).empty());
  std::vector<std::string> notes = allocation_notes(counted(1000, 1000), {4000, 1500, true});
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_EQ(notes[0].find("1,500 threads"), 0U) << notes[0];
  EXPECT_TRUE(allocation_notes(counted(1000, 1000), {4000, 1500, false}).empty()) << "the TLAB hooks draw nothing";
}

}  // namespace
}  // namespace hearth::naming
