#include "launcher/commands/growth.h"

#include <gtest/gtest.h>

#include <random>

#include "launcher/commands/leaks_command.h"

namespace hearth::launcher {
namespace {

profile::Profile live_of(const std::vector<std::pair<std::string, int64_t>>& sites) {
  profile::Profile profile;
  profile.value_types = {{"native_inuse_allocs", "count"}, {"native_inuse_space", "bytes"}};
  for (const auto& [name, bytes] : sites) {
    const int64_t values[] = {1, bytes};
    profile::FunctionId function = profile.function(name, profile::FrameKind::kNative);
    profile.add(profile.child(0, profile.location(function, 0)), profile.label_set({}), values);
  }
  return profile;
}

TEST(Growth, OfEqualIntervalsIsCertain) {
  Growth growth = growth_of({100, 200, 300, 400}, 10);
  EXPECT_DOUBLE_EQ(growth.rate, 10);
  EXPECT_DOUBLE_EQ(growth.bound, 0);
  EXPECT_TRUE(growth.is_certain());
}

TEST(Growth, OfMemoryThatComesAndGoesIsNotCertain) {
  EXPECT_FALSE(growth_of({0, 900, 100, 800, 50, 950, 100}, 1).is_certain());
  EXPECT_FALSE(growth_of({500, 500, 500}, 1).is_certain());
  EXPECT_FALSE(growth_of({500, 400, 300}, 1).is_certain());
}

TEST(Growth, NeedsThreeLooks) {
  EXPECT_FALSE(growth_of({}, 1).is_certain());
  EXPECT_FALSE(growth_of({1, 2}, 1).is_certain());
}

// 13 looks at a site that leaks, by samples: 95 of 100 bounds contain the true rate.
TEST(Growth, BoundsContainTheTrueRate) {
  constexpr double kSamplesAnInterval = 20, kWeight = 1000;
  constexpr int kSessions = 4000, kIntervals = 12;
  std::mt19937_64 random(7);
  std::poisson_distribution<int64_t> samples(kSamplesAnInterval);
  int contained = 0;
  for (int session = 0; session < kSessions; ++session) {
    std::vector<int64_t> amounts = {0};
    for (int i = 0; i < kIntervals; ++i)
      amounts.push_back(amounts.back() + samples(random) * static_cast<int64_t>(kWeight));
    Growth growth = growth_of(amounts, 1);
    contained += std::abs(growth.rate - kSamplesAnInterval * kWeight) <= growth.bound ? 1 : 0;
  }
  EXPECT_NEAR(contained / static_cast<double>(kSessions), 0.95, 0.012);
}

TEST(Growth, SitesThatGrowComeFirst) {
  LiveSites sites;
  sites.add(live_of({{"cache", 90'000}}), "native_inuse_space");
  sites.add(live_of({{"cache", 90'000}, {"leak", 100}}), "native_inuse_space");
  sites.add(live_of({{"cache", 90'000}, {"leak", 200}}), "native_inuse_space");
  std::vector<Site> all = sites.sites(1);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].frames, std::vector<std::string>{"leak"});
  EXPECT_EQ(all[0].amounts, (std::vector<int64_t>{0, 100, 200}));
  EXPECT_EQ(sites.total(1).amounts, (std::vector<int64_t>{90'000, 90'100, 90'200}));
}

TEST(Growth, AProfileWithoutTheValueIsALookOfNothing) {
  LiveSites sites;
  sites.add(live_of({{"a", 5}}), "inuse_space");
  EXPECT_EQ(sites.total(1).amounts, std::vector<int64_t>{0});
}

TEST(Leaks, AreTextForPeople) {
  Leaks leaks;
  leaks.kinds.push_back({"Native memory", "native-live", {}});
  for (int64_t bytes : {0, 100'000, 200'000})
    leaks.kinds[0].sites.add(live_of({{"leak", bytes}, {"cache", 5'000'000}}), "native_inuse_space");
  leaks.seconds_apart = 36;
  leaks.looks = 3;
  leaks.arenas = Arenas{2, 3'000'000};
  std::string text = leaks_text(leaks, 10, {});
  EXPECT_NE(text.find("Native memory: 5.20 MB live, grows by 10.0 MB ± 0 B/h"), std::string::npos) << text;
  EXPECT_NE(text.find("leak\n"), std::string::npos);
  EXPECT_LT(text.find("leak\n"), text.find("cache\n"));
  EXPECT_NE(text.find("3.00 MB resident for malloc, in 2 arenas"), std::string::npos);
  EXPECT_EQ(leaks_text(leaks, 1, {}).find("cache\n"), std::string::npos);
}

TEST(Leaks, ArenasOfTheCLibraryAreFoundByTheirPlace) {
  const std::string text =
      "55d0c0000000-55d0c0021000 rw-p 00000000 00:00 0                          [heap]\n"
      "Size:                132 kB\nRss:                 100 kB\n"
      "7f1234000000-7f1234021000 rw-p 00000000 00:00 0 \nRss:                  40 kB\n"
      "7f1234021000-7f1238000000 ---p 00000000 00:00 0 \nRss:                   0 kB\n"
      "7f123a001000-7f123a021000 rw-p 00000000 00:00 0 \nRss:                  77 kB\n"
      "7f1240000000-7f1240021000 r-xp 00000000 fe:00 12 /usr/lib/x.so\nRss:                  5 kB\n";
  Arenas arenas = arenas_in(text);
  EXPECT_EQ(arenas.count, 1U);
  EXPECT_EQ(arenas.resident, 140 * 1024);
}

TEST(Leaks, ALateLookDoesNotWait) {
  using std::chrono::milliseconds;
  EXPECT_EQ(until_look(0, milliseconds(1'200), milliseconds(0)), milliseconds(0));
  EXPECT_EQ(until_look(3, milliseconds(1'200), milliseconds(120)), milliseconds(180));
  EXPECT_EQ(until_look(3, milliseconds(1'200), milliseconds(5'000)), milliseconds(0));
}

TEST(Leaks, Line) {
  auto request = [](const std::vector<std::string>& words) { return std::get<LeaksRequest>(parse_leaks_line(words)); };
  EXPECT_EQ(request({"-d", "10m", "7"}).duration, std::chrono::minutes(10));
  EXPECT_FALSE(request({"-e", "live", "7"}).native);
  EXPECT_FALSE(request({"-e", "native-live", "7"}).heap);
  EXPECT_EQ(request({"--top", "3", "7"}).limit, 3U);
  EXPECT_ANY_THROW(parse_leaks_line({}));
  EXPECT_ANY_THROW(parse_leaks_line({"-e", "cpu", "7"}));
}

}  // namespace
}  // namespace hearth::launcher
