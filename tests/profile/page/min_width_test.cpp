#include "profile/page/min_width.h"

#include <gtest/gtest.h>

#include "sample_profile.h"

namespace hearth::profile {
namespace {

Profile narrowed(std::string_view stacks, double percent, bool annotate = false) {
  WriteOptions options;
  options.minwidth = percent;
  options.annotate = annotate;
  return without_narrow_nodes(read_collapsed(stacks), options, 0);
}

std::string folded(std::string_view stacks, double percent, bool annotate = false) {
  WriteOptions options;
  options.annotate = annotate;
  return write_collapsed(narrowed(stacks, percent, annotate), options);
}

TEST(MinWidth, KeepTheirWeightInOneMarker) {
  const char* stacks = "a 1\na;Small 3\na;big 90\na;small;x 2\nz 4\n";
  std::string once = folded(stacks, 5);
  EXPECT_EQ(once, "[below minwidth] 4\na 1\na;[below minwidth] 5\na;big 90\n");
  EXPECT_EQ(folded(once, 5), once) << "again changes nothing";
  EXPECT_EQ(folded(stacks, 0), stacks);
  EXPECT_EQ(folded(stacks, 101), "[below minwidth] 100\n");
}

TEST(MinWidth, AreSmallAsTheyAreRead) {
  const char* stacks = "a/A.a_[0];a/B.b_[j] 4\na/A.a_[j];a/B.b_[j] 4\nz 92\n";
  EXPECT_EQ(folded(stacks, 5), "a/A.a;a/B.b 8\nz 92\n");
  EXPECT_EQ(folded(stacks, 5, true), "[below minwidth] 8\nz 92\n");
}

TEST(MinWidth, KeepLabelsTimesAndLines) {
  Profile profile;
  profile.value_types = {{"samples", "count"}};
  profile.metadata.time_step_ns = 10;
  LabelSetId labels = profile.label_set({{"thread", "main", 0, ""}});
  NodeId wide = profile.child(0, profile.location(profile.function("wide", FrameKind::kJit), 7));
  NodeId narrow = profile.child(wide, profile.location(profile.function("narrow", FrameKind::kJit), 8));
  int64_t ninety = 90, one = 1;
  profile.add(wide, labels, &ninety, 3);
  profile.add(narrow, labels, &one, 4);
  WriteOptions options;
  options.minwidth = 5;
  Profile kept = without_narrow_nodes(profile, options, 0);
  EXPECT_EQ(dump(kept),
            "wide|2|:7 [below minwidth]|9|:0 samples=1 <thread:main0>@4\n"
            "wide|2|:7 samples=90 <thread:main0>@3\n");
  EXPECT_EQ(kept.metadata.time_step_ns, 10);
}

TEST(MinWidth, CountsOnlyShownStacks) {
  WriteOptions options;
  options.minwidth = 50;
  options.exclude = {"z"};
  EXPECT_EQ(write_collapsed(without_narrow_nodes(read_collapsed("a 3\nb 1\nz 96\n"), options, 0), {}),
            "[below minwidth] 1\na 3\n");
}

}  // namespace
}  // namespace hearth::profile
