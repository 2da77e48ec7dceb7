#include "profile/analysis/stack_quality.h"

#include <gtest/gtest.h>

#include "profile/formats/formats.h"
#include "sample_profile.h"

namespace hearth::profile {
namespace {

TEST(StackQuality, IsDerivedFromCollapsedStacks) {
  Quality quality =
      quality_of_stacks(read_collapsed("start;a/B.main;a/B.run 10\n"
                                       "start;a/B.main;[unknown_Java];memcpy 3\n"
                                       "start;a/B.main;[parked] 4\n"
                                       "[truncated];a/B.deep;libc.so.6 5\n"
                                       "start;libz.so;do_syscall_64_[k];vfs_read_[k] 2\n"
                                       "start;[unknown] 1\n"
                                       "start;b::sort.so.isra.0(int) 1\n"
                                       "[lost] 7\n"));
  EXPECT_EQ(quality.samples, 26u);
  EXPECT_EQ(quality.lost, 7u);
  EXPECT_EQ(quality.truncated, 5u);
  EXPECT_EQ(quality.failures, (std::map<std::string, uint64_t>{{"unknown_Java", 3}}));
  EXPECT_EQ(quality.without_symbols,
            (std::map<std::string, uint64_t>{{"libc.so.6", 5}, {"libz.so", 2}, {"[unknown]", 1}}));
  EXPECT_EQ(quality.engine, "");
}

TEST(StackQuality, EmptyProfiles) {
  Profile profile;
  EXPECT_EQ(quality_of_stacks(profile).samples, 0u);
}

}  // namespace
}  // namespace hearth::profile
