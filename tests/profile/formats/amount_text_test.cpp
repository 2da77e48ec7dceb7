#include "profile/formats/amount_text.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace hearth::profile {
namespace {

TEST(AmountText, GroupsDigits) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(1234567), "1,234,567");
}

TEST(AmountText, DurationsHaveThreeDigits) {
  EXPECT_EQ(duration_text(0), "0 ns");
  EXPECT_EQ(duration_text(999), "999 ns");
  EXPECT_EQ(duration_text(1000), "1.00 us");
  EXPECT_EQ(duration_text(12'345), "12.3 us");
  EXPECT_EQ(duration_text(999'499), "999 us");
  EXPECT_EQ(duration_text(999'999), "1.00 ms");
  EXPECT_EQ(duration_text(9'999'999), "10.0 ms");
  EXPECT_EQ(duration_text(99'960'000'000), "100 s");
  EXPECT_EQ(duration_text(125'000'000'000), "2 min 05 s");
  EXPECT_EQ(duration_text(11'220'000'000'000), "3 h 07 min");
  EXPECT_EQ(duration_text(INT64_MAX), "2,562,047 h 47 min");
  EXPECT_EQ(duration_text(-1'500'000), "-1.50 ms");
}

TEST(AmountText, TheUnitDecides) {
  EXPECT_EQ(amount_text(1'500'000, "nanoseconds"), "1.50 ms");
  EXPECT_EQ(amount_text(524'287, "bytes"), "524 kB");
  EXPECT_EQ(amount_text(1234, "count"), "1,234");
  EXPECT_EQ(amount_text(-1234, "count"), "-1,234");
  EXPECT_EQ(amount_text(INT64_MIN, ""), "-9,223,372,036,854,775,808");
  EXPECT_EQ(amount_text(7, "calls"), "7 calls");
}

TEST(AmountText, Percent) {
  EXPECT_DOUBLE_EQ(percent_of(1, 8), 12.5);
  EXPECT_DOUBLE_EQ(percent_of(1, 0), 0);
}

}  // namespace
}  // namespace hearth::profile
