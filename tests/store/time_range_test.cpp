#include "store/time_range.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>

#include "base/error.h"

namespace hearth::store {
namespace {

constexpr int64_t kSecond = 1'000'000'000;
constexpr int64_t kNow = 1'795'424'400 * kSecond;  // 2026-11-23 09:00 UTC

class TimeRangeTest : public testing::Test {
 protected:
  void SetUp() override {
    ::setenv("TZ", "Europe/Berlin", 1);
    ::tzset();
  }
};

int64_t seconds(std::string_view text) {
  return (parse_time(text, kNow) - kNow) / kSecond;
}

TEST_F(TimeRangeTest, ReadsTimesOfTheLastDayInTheMachinesZone) {
  EXPECT_EQ(seconds("10:00"), 0);  // Berlin
  EXPECT_EQ(seconds("09:58:30"), -90);
  EXPECT_EQ(seconds("10:01"), 60 - 86400);
}

TEST_F(TimeRangeTest, ReadsDates) {
  EXPECT_EQ(seconds("2026-11-23T09:00Z"), 0);
  EXPECT_EQ(seconds("2026-11-23T10:00"), 0);
  EXPECT_EQ(seconds("2026-11-23 10:00:05"), 5);
  EXPECT_EQ(seconds("2026-11-23"), -10 * 3600);
}

TEST_F(TimeRangeTest, ReadsDistancesAndSeconds) {
  EXPECT_EQ(seconds("now"), 0);
  EXPECT_EQ(seconds("-10m"), -600);
  EXPECT_EQ(seconds("-2h"), -7200);
  EXPECT_EQ(seconds("1795424401"), 1);
  EXPECT_EQ(parse_time("1795424400250", kNow) - kNow, kSecond / 4);
}

TEST_F(TimeRangeTest, ReadsDurations) {
  EXPECT_EQ(duration_ns("1500ms"), kSecond * 3 / 2);
  EXPECT_EQ(duration_ns("0.5m"), 30 * kSecond);
  EXPECT_EQ(duration_ns("36500d"), int64_t{36500} * 86400 * kSecond);
  for (const char* text : {"", "10", "s", "-1s", "nans", "infs", "36501d", "1e300s", "1 s", "1w"})
    EXPECT_EQ(duration_ns(text), std::nullopt) << text;
}

TEST_F(TimeRangeTest, RefusesOtherText) {
  for (const char* text : {"", "noon", "25:00", "10:02:61x", "-m", "-10", "10m", "2026-13-01", "99999999999999999999",
                           "-9999999d", "99999999999", "9999-01-01"})
    EXPECT_THROW(parse_time(text, kNow), Error) << text;
}

TEST_F(TimeRangeTest, ReadsRanges) {
  TimeRange range = parse_range("-10m..-5m", kNow);
  EXPECT_EQ(range.to_ns - range.from_ns, 300 * kSecond);
  EXPECT_EQ(parse_range("-10m", kNow).to_ns, INT64_MAX);
  EXPECT_EQ(parse_range("..now", kNow).from_ns, INT64_MIN);
  EXPECT_THROW(parse_range("-5m..-10m", kNow), Error);
}

TEST_F(TimeRangeTest, GoesPastMidnight) {
  TimeRange range = parse_range("23:50", "00:10", kNow);
  EXPECT_EQ(range.to_ns - range.from_ns, 1200 * kSecond);
  EXPECT_THROW(parse_range("-10m", "09:00", kNow), Error);
}

}  // namespace
}  // namespace hearth::store
