#include "store/window_cover.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "store/keep_bound.h"

namespace hearth::store {
namespace {

constexpr int64_t kMinute = 60'000'000'000;
constexpr int64_t kHour = 60 * kMinute;
constexpr int64_t kDay = 24 * kHour;

StoredWindow file(Level level, int64_t begin, int64_t bytes = 10) {
  int64_t length = level == Level::kWindow ? kMinute : span_of(level);
  uint64_t windows = level == Level::kWindow ? 1 : 60;
  std::string name = window_name(level, begin, length, windows);
  return {level, begin, length, windows, name, bytes};
}

// Three hours of windows, merged except for the last.
std::vector<StoredWindow> three_hours() {
  std::vector<StoredWindow> files;
  for (int64_t at = 0; at < 3 * kHour; at += kMinute) files.push_back(file(Level::kWindow, kDay + at));
  files.push_back(file(Level::kHour, kDay));
  files.push_back(file(Level::kHour, kDay + kHour));
  return files;
}

int64_t sum(const std::vector<StoredWindow>& files) {
  int64_t sum = 0;
  for (const StoredWindow& one : files) sum += one.duration_ns;
  return sum;
}

TEST(WindowName, ComesBack) {
  for (Level level : kLevels) {
    StoredWindow made = file(level, 20'780 * kDay + 37 * kMinute);
    std::optional<StoredWindow> read = window_of_name(level, made.name);
    ASSERT_TRUE(read) << made.name;
    EXPECT_EQ(read->begin_ns, made.begin_ns);
    EXPECT_EQ(read->duration_ns, made.duration_ns);
  }
}

TEST(WindowName, OthersAreNone) {
  for (const char* name : {"", "a.pb.gz", "20261123T100200.000Z.pb.gz", "20261123T100200.000Z-ms.pb.gz",
                           "20261123T100200.000Z-60000ms-3.pb.gz", "20261123T100200.000Z-60000ms.pb.gz.12.tmp",
                           "20261123T100200.000Z-99999999999999999ms.pb.gz"})
    EXPECT_FALSE(window_of_name(Level::kWindow, name)) << name;
}

TEST(Cover, TakesTheCoarsestWithinAndTheFinestAtTheEnds) {
  std::vector<StoredWindow> all = cover(three_hours(), {});
  EXPECT_EQ(all.size(), 2u + 60u);
  EXPECT_EQ(sum(all), 3 * kHour);
  std::vector<StoredWindow> part = cover(three_hours(), {kDay + 30 * kMinute, kDay + 2 * kHour + 5 * kMinute});
  EXPECT_EQ(part.size(), 30u + 1u + 5u);
  EXPECT_EQ(sum(part), kHour + 35 * kMinute);
}

TEST(Cover, TakesWindowsWhoseMiddleLiesInTheRange) {
  std::vector<StoredWindow> part = cover(three_hours(), {kDay + kMinute / 2, kDay + 2 * kMinute + 1});
  ASSERT_EQ(part.size(), 2u);  // the first one's middle is the range's begin
  EXPECT_EQ(part[0].begin_ns, kDay);
  EXPECT_EQ(cover(three_hours(), {kDay + kMinute / 2 + 1, kDay + 2 * kMinute + 1}).size(), 1u);
  EXPECT_TRUE(cover(three_hours(), {0, kDay}).empty());
}

// As a JVM writes them: each begins some ms after the minute and ends some ms after the next.
std::vector<StoredWindow> late_windows(int64_t count) {
  std::vector<StoredWindow> files;
  for (int64_t i = 0; i < count; i++) {
    int64_t late_ns = (8 + i % 5) * 1'000'000;
    files.push_back(file(Level::kWindow, kDay + i * kMinute + late_ns));
  }
  return files;
}

TEST(Cover, NeighbouringRangesShareNoWindow) {
  std::vector<StoredWindow> files = late_windows(120);
  files.push_back(file(Level::kHour, kDay));
  files.back().windows = 60;
  std::vector<StoredWindow> minute = cover(files, {kDay + 51 * kMinute, kDay + 52 * kMinute});
  ASSERT_EQ(minute.size(), 1u);
  EXPECT_EQ(minute[0].begin_ns / kMinute, (kDay + 51 * kMinute) / kMinute);
  for (int64_t length : {kMinute, 7 * kMinute, 40 * kMinute, kHour}) {
    std::vector<std::string> names;
    uint64_t windows = 0;
    for (int64_t from = kDay - length / 3; from < kDay + 3 * kHour; from += length) {
      for (const StoredWindow& one : cover(files, {from, from + length})) {
        names.push_back(one.name);
        windows += one.windows;
      }
    }
    std::vector<std::string> sorted = names;
    std::sort(sorted.begin(), sorted.end());
    EXPECT_EQ(std::unique(sorted.begin(), sorted.end()), sorted.end()) << length / kMinute;
    EXPECT_EQ(windows, 120u) << length / kMinute;
  }
}

TEST(Cover, AWindowOverTheHourBelongsWhereItsHourIs) {
  StoredWindow over = file(Level::kWindow, kDay + kHour - 1'000'000);
  std::vector<StoredWindow> files = {over, file(Level::kWindow, kDay + kHour + kMinute)};
  EXPECT_EQ(cover(files, {kDay, kDay + kHour}).size(), 1u);
  EXPECT_EQ(cover(files, {kDay + kHour, kDay + 2 * kHour}).size(), 1u);
}

TEST(Cover, ARangeShorterThanItsWindowsTakesOne) {
  std::vector<StoredWindow> files = late_windows(3);
  std::vector<StoredWindow> one = cover(files, {kDay + 50'000'000'000, kDay + 65'000'000'000});
  ASSERT_EQ(one.size(), 1u);
  EXPECT_EQ(one[0].name, files[0].name);
  EXPECT_TRUE(cover(files, {kDay + 2 * kMinute + 40'000'000'000, kDay + 4 * kMinute}).empty());
  EXPECT_EQ(cover(files, {kDay + 2 * kMinute + 40'000'000'000, INT64_MAX}).size(), 1u) << "the last one, until now";
  EXPECT_EQ(finest(files, {kDay + 50'000'000'000, kDay + 65'000'000'000}).size(), 1u);
}

TEST(Cover, TakesTheHourWhereItsWindowsAreGone) {
  std::vector<StoredWindow> files = {file(Level::kHour, kDay), file(Level::kWindow, kDay + kHour)};
  EXPECT_EQ(cover(files, {kDay + 5 * kMinute, kDay + 6 * kMinute}).size(), 1u);
  EXPECT_EQ(cover(files, {kDay + 5 * kMinute, kDay + 2 * kHour}).size(), 2u);
}

TEST(Finest, TakesWindowsAndTheHourWhereTheyAreGone) {
  EXPECT_EQ(finest(three_hours(), {}).size(), 180u);
  EXPECT_EQ(finest(three_hours(), {kDay + 30 * kMinute, kDay + 2 * kHour + 5 * kMinute}).size(), 95u);
  std::vector<StoredWindow> files = {file(Level::kWindow, kDay + kHour), file(Level::kDay, kDay),
                                     file(Level::kHour, kDay + kHour), file(Level::kHour, kDay)};
  std::vector<StoredWindow> chosen = finest(files, {});
  ASSERT_EQ(chosen.size(), 2u);
  EXPECT_EQ(chosen[0].level, Level::kHour);
  EXPECT_EQ(chosen[1].level, Level::kWindow);
}

TEST(Cover, TakesNoCoarseFileOfFewerWindowsThanThereAre) {
  std::vector<StoredWindow> files = three_hours();
  files.push_back(file(Level::kDay, kDay));  // of the 120 windows that its hours count
  files.back().windows = 120;
  for (StoredWindow& one : files)
    if (one.level == Level::kHour && one.begin_ns == kDay) one.windows = 7;
  std::vector<StoredWindow> chosen = cover(files, {kDay, kDay + 2 * kHour});
  EXPECT_EQ(chosen.size(), 61u);  // minutes of the first hour, the file of the second
  EXPECT_EQ(sum(chosen), 2 * kHour);
  EXPECT_EQ(cover(files, {})[0].level, Level::kWindow) << "the day lacks the third hour";
}

TEST(ToDrop, TakesFilesThatCoarserFilesContainFirst) {
  std::vector<StoredWindow> files = three_hours();  // 182 files of 10 bytes
  EXPECT_TRUE(to_drop(files, {1820}).empty());
  std::vector<ToDrop> dropped = to_drop(files, {1819});
  ASSERT_EQ(dropped.size(), 60u);  // all of the first hour
  EXPECT_LT(dropped.back().window.begin_ns, kDay + kHour);
  dropped = to_drop(files, {100});
  EXPECT_EQ(dropped.size(), 182u - 10u);  // both hours' files, too, and the oldest windows
  EXPECT_EQ(dropped[120].window.level, Level::kHour);
}

TEST(ToDrop, TreatsAnHourAsContainedOnlyWithAllItsWindows) {
  std::vector<StoredWindow> files = three_hours();
  for (StoredWindow& file : files)
    if (file.level == Level::kHour && file.begin_ns == kDay) file.windows -= 1;  // the clock was set back after it
  std::vector<ToDrop> dropped = to_drop(files, {1819});
  EXPECT_EQ(dropped.front().window.begin_ns, kDay + kHour);
  EXPECT_TRUE(dropped.front().is_told);
  dropped = to_drop(files, {1210});
  EXPECT_FALSE(dropped.back().is_told);
}

TEST(ToDrop, HoldsTheNumberOfFilesDownWhereNothingIsLostByIt) {
  std::vector<StoredWindow> files = three_hours();
  EXPECT_EQ(to_drop(files, {1820, 181}).size(), 60u);
  EXPECT_EQ(to_drop(files, {1820, 10}).size(), 120u);
}

TEST(ToDrop, LeavesTheNewest) {
  std::vector<StoredWindow> files = three_hours();
  EXPECT_EQ(to_drop(files, {0}).size(), files.size() - 1);
}

}  // namespace
}  // namespace hearth::store
