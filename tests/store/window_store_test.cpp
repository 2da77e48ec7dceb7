#include "store/window_store.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "base/error.h"
#include "base/files.h"
#include "profile/formats/formats.h"
#include "profile/model/label_values.h"
#include "store/figures_file.h"
#include "store/keep_bound.h"
#include "store/window_files.h"
#include "store/window_reader.h"

namespace hearth::store {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kSecond = 1'000'000'000;
constexpr int64_t kMinute = 60 * kSecond;
constexpr int64_t kBegin = 1'795'420'800 * kSecond;  // 2026-11-23 08:00 UTC

class StoreTest : public testing::Test {
 protected:
  StoreTest() : directory_(testing::TempDir() + "store." + std::to_string(::getpid())) {}
  void SetUp() override { fs::remove_all(directory_); }
  void TearDown() override { fs::remove_all(directory_); }

  WindowStore open(int64_t most = 1 << 30) {
    return WindowStore(directory_, most, [this](const std::string& line) { messages_.push_back(line); });
  }

  std::string directory_;
  std::vector<std::string> messages_;
};

void add(WindowStore* store, const profile::Profile& profile) {
  store->add(profile);
  while (store->merge_once()) {
  }
}

profile::Profile window(int64_t minute, int64_t cpu_ns = 1000, const std::string& method = "a.Main.work") {
  profile::Profile profile;
  profile.value_types = {{"samples", "count"}, {"cpu", "nanoseconds", 10}};
  profile.metadata.event = "cpu";
  profile.metadata.start_unix_ns = kBegin + minute * kMinute;
  profile.metadata.duration_ns = kMinute;
  profile::NodeId node = profile.child(0, profile.location(profile.function(method, profile::FrameKind::kJit), 0));
  int64_t values[] = {1, cpu_ns};
  std::string span = std::to_string(minute);
  profile.add(node, profile.label_set({{"span_id", span, 0, ""}, {"tid", "", minute, ""}, {"trace_id", span, 0, ""}}),
              values);
  profile.quality.samples = 1;
  return profile;
}

int64_t cpu_of(const profile::Profile& profile) {
  return figures_of(profile).cpu_ns;
}

TEST_F(StoreTest, OnlyItsUserReadsItsFiles) {
  fs::create_directory(directory_);
  fs::permissions(directory_, fs::perms(0755));
  WindowStore store = open();
  for (int64_t minute = 0; minute <= 60; minute++) add(&store, window(minute));
  tidy_figures(directory_);
  int files = 0;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(directory_)) {
    if (!entry.is_regular_file()) continue;
    EXPECT_EQ(entry.status().permissions(), fs::perms(0600)) << entry.path();
    files++;
  }
  EXPECT_GT(files, 61);
}

TEST_F(StoreTest, KeepsWindowsAndMergesTheirHours) {
  WindowStore store = open();
  for (int64_t minute = 0; minute <= 60; minute++) add(&store, window(minute));
  EXPECT_TRUE(messages_.empty()) << messages_.front();
  EXPECT_EQ(windows_of(directory_, Level::kWindow).size(), 61u);
  std::vector<StoredWindow> hours = windows_of(directory_, Level::kHour);
  ASSERT_EQ(hours.size(), 1u);
  EXPECT_EQ(hours[0].windows, 60u);
  profile::Profile hour = profile::read(read_file(path_of(directory_, hours[0])));
  EXPECT_EQ(hour.sample_count(), 1u);  // without the numbers of threads and spans
  EXPECT_EQ(cpu_of(hour), 60 * 1000);
  EXPECT_EQ(cpu_of(read_range(directory_, {})), 61 * 1000);
  EXPECT_EQ(cpu_of(read_range(directory_, {kBegin + 3 * kMinute, kBegin + 5 * kMinute})), 2 * 1000);
}

TEST_F(StoreTest, ReadsRequestedSpansOnly) {
  WindowStore store = open();
  for (int64_t minute = 0; minute <= 60; minute++) add(&store, window(minute));
  auto spans_in = [](const profile::Profile& profile) {
    profile::LabelValues spans(profile, profile::kSpanIdLabel);
    std::set<std::string> values;
    for (size_t i = 0; i < profile.sample_count(); i++) values.emplace(spans.of(profile.sample(i)));
    return values;
  };
  using Values = std::set<std::string>;
  EXPECT_EQ(spans_in(read_range(directory_, {})), (Values{"", "60"}));
  profile::Profile one = read_range(directory_, {}, span_selection({{"trace_id", "7"}, {"tid", "9"}}, "", false));
  EXPECT_EQ(spans_in(one), (Values{"7"}));  // of a minute that is a part of an hour, too
  EXPECT_EQ(cpu_of(one), 1000);
  EXPECT_EQ(one.quality.samples, 61);  // the notes on quality are of all
  EXPECT_EQ(spans_in(read_range(directory_, {}, span_selection({}, "span_id", false))).size(), 61u);
  profile::Profile none = read_range(directory_, {}, span_selection({{"tid", "9"}}, "", false));
  EXPECT_EQ(spans_in(none), (Values{""}));
  EXPECT_EQ(none.quality.notes.front(), "trace_id and span_id are left out: select one of them with label=");
  EXPECT_THROW(read_range(directory_, {}, span_selection({{"trace_id", "no"}}, "", false)), NothingStored);
}

TEST_F(StoreTest, MergesAnHourAgainWhenTheClockWasSetBackIntoIt) {
  WindowStore store = open();
  for (int64_t minute : {0, 10, 60, 20, 61}) add(&store, window(minute));
  std::vector<StoredWindow> hours = windows_of(directory_, Level::kHour);
  ASSERT_EQ(hours.size(), 1u);
  EXPECT_EQ(hours[0].windows, 3u);
  ASSERT_FALSE(messages_.empty());
  EXPECT_NE(messages_[0].find("clock was set back"), std::string::npos);
  add(&store, window(61));  // of the same time: neither is lost
  EXPECT_EQ(cpu_of(read_range(directory_, {})), 6 * 1000);
}

TEST_F(StoreTest, StaysWithinItsBound) {
  constexpr int64_t kMost = 60'000;
  WindowStore store = open(kMost);
  for (int64_t minute = 0; minute < 200; minute++) {
    add(&store, window(minute));
    EXPECT_LE(bytes_of(directory_), kMost);
  }
  // The total of an hour is kept for longer than its minutes.
  EXPECT_EQ(windows_of(directory_, Level::kHour).size(), 3u);
  EXPECT_EQ(cpu_of(read_range(directory_, {})), 200 * 1000);
}

TEST_F(StoreTest, ReportsLostWindows) {
  WindowStore store = open(1500);
  for (int64_t minute = 0; minute < 30; minute++) add(&store, window(minute));
  ASSERT_FALSE(messages_.empty());
  EXPECT_NE(messages_.back().find("were deleted"), std::string::npos);
}

TEST_F(StoreTest, IsMadeAgainWhenItWasDeleted) {
  WindowStore store = open();
  add(&store, window(0));
  fs::remove_all(directory_);
  add(&store, window(1));
  ASSERT_EQ(messages_.size(), 1u);
  EXPECT_NE(messages_[0].find("was deleted"), std::string::npos);
  EXPECT_EQ(cpu_of(read_range(directory_, {})), 1000);
}

TEST_F(StoreTest, GoesOnWhereAnotherEnded) {
  {
    WindowStore first = open();
    add(&first, window(0));
  }
  std::ofstream(directory_ + "/windows/20261123T080100.000Z-60000ms.pb.gz.77.tmp") << "half";
  WindowStore store = open();
  add(&store, window(2));
  EXPECT_EQ(cpu_of(read_range(directory_, {})), 2000);
  for (const auto& file : fs::recursive_directory_iterator(directory_)) EXPECT_NE(file.path().extension(), ".tmp");
}

TEST_F(StoreTest, IsOneProcesss) {
  WindowStore store = open();
  EXPECT_THROW(open(), Error);
}

std::string refusal_of(const std::string& directory) {
  try {
    WindowStore store(directory, 1 << 30, [](const std::string&) {});
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST_F(StoreTest, IsInNoDirectoryThatOthersCanChange) {
  fs::create_directory(directory_);
  for (fs::perms others : {fs::perms::group_write, fs::perms::others_write, fs::perms::all | fs::perms::sticky_bit}) {
    fs::permissions(directory_, fs::perms::owner_all | others);
    EXPECT_NE(refusal_of(directory_).find("other users can change"), std::string::npos) << refusal_of(directory_);
    EXPECT_TRUE(fs::is_empty(directory_));
  }
  EXPECT_EQ(refusal_of(directory_ + "/mine"), "accepted");
  fs::permissions(directory_, fs::perms::owner_all);
  EXPECT_EQ(refusal_of(directory_), "accepted");
}

TEST_F(StoreTest, IsBehindNoLinkOfOthers) {
  fs::create_directory(directory_);
  fs::permissions(directory_, fs::perms::owner_all);
  std::string link = directory_ + "/link";
  fs::create_directory_symlink(directory_, link);
  EXPECT_EQ(refusal_of(link), "accepted");
  constexpr uid_t kOther = 65534;
  if (::lchown(link.c_str(), kOther, kOther) != 0) GTEST_SKIP() << "needs root to give a link away";
  EXPECT_NE(refusal_of(link).find("is not a directory of this user"), std::string::npos) << refusal_of(link);
}

TEST_F(StoreTest, LeavesOutUnreadableFiles) {
  WindowStore store = open();
  add(&store, window(0));
  add(&store, window(1));
  replace_file(directory_ + "/windows/20261123T080200.000Z-60000ms.pb.gz", "\x1f\x8b no gzip");
  profile::Profile range = read_range(directory_, {});
  EXPECT_EQ(cpu_of(range), 2000);
  EXPECT_NE(range.quality.notes.back().find("could not be read"), std::string::npos);
}

TEST_F(StoreTest, ReportsItsRangeWhereNothingIsFound) {
  WindowStore store = open();
  EXPECT_THROW(read_range(directory_, {}), Error);
  add(&store, window(0));
  EXPECT_THROW(read_range(directory_, {0, kBegin}), Error);
  EXPECT_THROW(read_range(directory_ + "/windows", {}), Error);
}

TEST_F(StoreTest, DrawsALineWithoutOpeningFiles) {
  WindowStore store = open();
  add(&store, window(0, 5));
  add(&store, window(1, 7));
  for (const StoredWindow& one : windows_of(directory_, Level::kWindow)) replace_file(path_of(directory_, one), "");
  std::vector<TimelinePoint> points = timeline(directory_, {});
  ASSERT_EQ(points.size(), 2u);
  EXPECT_EQ(points[0].figures.cpu_ns, 5);
  EXPECT_EQ(points[1].figures.cpu_ns, 7);
}

TEST_F(StoreTest, AddsNeighboursOfALineUpButNotOverAPause) {
  WindowStore store = open();
  for (int64_t minute : {0, 1, 2, 3, 10, 11}) store.add(window(minute, 1));
  std::vector<TimelinePoint> points = timeline(directory_, {}, 2);
  ASSERT_EQ(points.size(), 2u);
  EXPECT_EQ(points[0].figures.cpu_ns, 4);
  EXPECT_EQ(points[0].window.duration_ns, 4 * kMinute);
  EXPECT_EQ(points[0].window.windows, 4u);
  EXPECT_EQ(points[1].figures.cpu_ns, 2);
  EXPECT_EQ(points[1].window.begin_ns, kBegin + 10 * kMinute);
}

TEST(Figures, AreOfTheThreadsOwnClocksWhereThereAreAny) {
  profile::Profile profile = window(0, 1000);
  EXPECT_EQ(figures_of(profile).cpu_ns, 1000);
  profile.quality.threads_cpu_ns = 1700;
  EXPECT_EQ(figures_of(profile).cpu_ns, 1700);
}

TEST_F(StoreTest, ReportsItsContent) {
  WindowStore store = open();
  EXPECT_FALSE(held_range(directory_));
  EXPECT_EQ(store.bytes(), bytes_of(directory_));
  store.add(window(0));
  store.add(window(5));
  EXPECT_EQ(held_range(directory_)->from_ns, kBegin);
  EXPECT_EQ(held_range(directory_)->to_ns, kBegin + 6 * kMinute);
  EXPECT_EQ(store.bytes(), bytes_of(directory_));
}

TEST_F(StoreTest, AReadingEndsWhenNobodyWaitsForIt) {
  WindowStore store = open();
  for (int64_t minute : {0, 1, 2}) store.add(window(minute));
  int files = 0;
  auto leave_at_the_second = [&files] {
    if (++files == 2) throw std::runtime_error("left");
  };
  EXPECT_THROW(read_range(directory_, {}, {}, leave_at_the_second), std::runtime_error);
  EXPECT_EQ(files, 2);
}

TEST_F(StoreTest, KeepsARangeApart) {
  WindowStore store = open();
  add(&store, window(0));
  std::string path = store.keep({}, "cpu>90%");
  EXPECT_NE(path.find("/kept/"), std::string::npos);
  EXPECT_EQ(cpu_of(profile::read(read_file(path))), 1000);
}

TEST_F(StoreTest, StaysWithinItsBoundWithKeptWindows) {
  constexpr int64_t kMost = 20'000;
  WindowStore store = open(kMost);
  for (int64_t minute = 0; minute < 40; minute++) {
    add(&store, window(minute));
    store.keep({kBegin + (minute - 5) * kMinute, kBegin + (minute + 1) * kMinute}, "signal");
    EXPECT_LE(bytes_of(directory_), kMost) << minute;
  }
}

TEST_F(StoreTest, LateWindowsBecomeAPartOfAnHourWhoseMinutesHaveGone) {
  WindowStore store = open();
  for (int64_t minute : {0, 1, 2, 60}) add(&store, window(minute));
  for (const StoredWindow& one : windows_of(directory_, Level::kWindow)) fs::remove(path_of(directory_, one));
  for (int64_t minute : {10, 11, 12, 13, 61, 62}) add(&store, window(minute));
  std::vector<StoredWindow> hours = windows_of(directory_, Level::kHour);
  ASSERT_EQ(hours.size(), 1u);
  EXPECT_EQ(hours[0].windows, 7u);
  EXPECT_EQ(cpu_of(read_range(directory_, {kBegin, kBegin + 60 * kMinute})), 7 * 1000);
}

TEST_F(StoreTest, ReadsMinutesWhereTheirHourIsBroken) {
  WindowStore store = open();
  for (int64_t minute : {0, 1, 2, 60}) add(&store, window(minute));
  replace_file(path_of(directory_, windows_of(directory_, Level::kHour).at(0)), "");
  profile::Profile range = read_range(directory_, {});
  EXPECT_EQ(cpu_of(range), 4 * 1000);
  EXPECT_NE(range.quality.notes.back().find("could not be read"), std::string::npos);
}

TEST_F(StoreTest, NamesTheProcessThatHasTheDirectory) {
  WindowStore store = open();
  add(&store, window(0));
  fs::remove_all(directory_);
  messages_.clear();
  WindowStore other(directory_, 1 << 30, [](const std::string&) {});
  for (int64_t minute : {1, 2}) add(&store, window(minute));
  ASSERT_EQ(messages_.size(), 1u);
  EXPECT_NE(messages_[0].find("another JVM"), std::string::npos) << messages_[0];
  EXPECT_EQ(store.lost(), 2u);
}

TEST_F(StoreTest, KnowsARangeByItsText) {
  WindowStore store = open();
  EXPECT_TRUE(store_range(directory_, kBegin));
  EXPECT_EQ(store_range(directory_ + "@-10m..now", kBegin)->range.to_ns, kBegin);
  EXPECT_THROW(store_range(directory_ + "@noon", kBegin), Error);
  EXPECT_FALSE(store_range("no/such@place", kBegin));
}

}  // namespace
}  // namespace hearth::store
