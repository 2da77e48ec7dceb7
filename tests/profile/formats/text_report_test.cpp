#include "profile/formats/text_report.h"

#include <gtest/gtest.h>

#include "sample_profile.h"

namespace hearth::profile {
namespace {

constexpr const char* kHeader =
    "--- Execution profile ---\n"
    "Event                : cpu\n"
    "Runtime              : OpenJDK 64-Bit Server VM 17.0.15+6\n"
    "Total samples        : 8\n"
    "Quality              : 8 samples, 2 lost, 83.3 % whole stacks, engine perf_events, overhead 0.6 % CPU\n"
    "Few samples          : small shares may be chance; a longer run or a shorter interval gives more\n"
    "unknown_Java         : 1 (12.50%)\n"
    "Own CPU time         : 60.0 ms\n"
    "Note                 : kernel frames are hidden: kptr_restrict; set it to 0\n"
    "\n";

TEST(Flat, HottestMethodsFirst) {
  WriteOptions options;
  options.limit = 3;
  EXPECT_EQ(write_flat(sample_profile(), options), std::string(kHeader) +
                                                       "          ns  percent  samples  top\n"
                                                       "  ----------  -------  -------  ---\n"
                                                       "     3900000   48.75%        4  cheshire.parse/parse*\n"
                                                       "     1100000   13.75%        1  vfs_read_[k]\n"
                                                       "     1000000   12.50%        1  itable stub\n");
}

TEST(Flat, AnnotatedKindsAreRowsOfTheirOwn) {
  WriteOptions options;
  options.limit = 1;
  options.annotate = true;
  EXPECT_NE(write_flat(sample_profile(), options).find("3000000   37.50%        3  cheshire.parse/parse*_[j]\n"),
            std::string::npos);
}

TEST(Traces, HottestStacksFirstInnermostFrameFirst) {
  WriteOptions options;
  options.limit = 2;
  EXPECT_EQ(write_traces(sample_profile(), options), std::string(kHeader) +
                                                         "--- 3900000 ns (48.75%), 4 samples\n"
                                                         "  [ 0] cheshire.parse/parse*\n"
                                                         "  [ 1] clojure.main/main\n"
                                                         "\n"
                                                         "--- 1100000 ns (13.75%), 1 sample\n"
                                                         "  [ 0] vfs_read_[k]\n"
                                                         "  [ 1] cheshire.parse/parse*\n"
                                                         "  [ 2] clojure.main/main\n"
                                                         "\n");
}

TEST(TextReport, EmptyProfilesAreFine) {
  Profile profile;
  EXPECT_EQ(write_traces(profile, {}), write_flat(profile, {}));
  profile.value_types = {{"samples", "count"}};
  EXPECT_NE(write_flat(profile, {}).find("Total samples        : 0\n"), std::string::npos);
}

}  // namespace
}  // namespace hearth::profile
