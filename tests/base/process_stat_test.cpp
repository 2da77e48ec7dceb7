#include "base/process_stat.h"

#include <gtest/gtest.h>

namespace hearth {
namespace {

TEST(ProcessStat, HasTheFieldsBehindTheName) {
  std::vector<std::string_view> fields = stat_fields("42 (a) b (c d)) S 7 1 2\n");
  ASSERT_EQ(fields.size(), 4u);
  EXPECT_EQ(fields[kStatState], "S");
  EXPECT_EQ(fields[kStatParent], "7");
}

TEST(ProcessStat, HasNoFieldsWithoutAName) {
  EXPECT_TRUE(stat_fields("").empty());
  EXPECT_TRUE(stat_fields("42 java S 1").empty());
}

}  // namespace
}  // namespace hearth
