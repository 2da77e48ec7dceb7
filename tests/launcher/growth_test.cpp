#include "launcher/leaks/growth.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <random>

#include "base/error.h"
#include "launcher/commands/leaks_command.h"
#include "launcher/leaks/jvm_heap.h"
#include "launcher/leaks/leak_looks.h"
#include "launcher/leaks/store_looks.h"
#include "profile/analysis/stack_key.h"
#include "profile/formats/formats.h"
#include "profile/model/allocation_time.h"
#include "store/window_files.h"

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

// Looks at allocations of 100 bytes by their birth and death, in seconds; a look each second.
Generations generations_of(const std::vector<std::pair<int, int>>& lives, int looks) {
  Generations generations;
  for (int look = 0; look < looks; ++look) {
    generations.emplace_back(look + 1);
    for (auto [birth, death] : lives)
      if (birth <= look && look < death) generations.back()[birth] += 100;
  }
  return generations;
}

bool leak_of(const std::vector<std::pair<int, int>>& lives) {
  constexpr int kLooks = 13;
  Generations generations = generations_of(lives, kLooks);
  std::vector<int64_t> amounts;
  for (const auto& look : generations) amounts.push_back(std::accumulate(look.begin(), look.end(), int64_t{0}));
  return leaks(generations, growth_of(amounts, 1));
}

constexpr int kNever = 100;

TEST(Leaks, KeepWhatTheyHad) {
  std::vector<std::pair<int, int>> lives;
  for (int second = 0; second < 13; ++second) lives.emplace_back(second, kNever);
  EXPECT_TRUE(leak_of(lives));
  // In addition to memory of the same site that is used for a short time.
  for (int second = 0; second < 13; ++second) lives.emplace_back(second, second + 2);
  EXPECT_TRUE(leak_of(lives));
}

// It grows in the samples, which begin with the session: the old content was not seen.
TEST(Leaks, AreNotCachesThatReplaceTheirContent) {
  for (int life : {4, 6, 8, 9}) {
    std::vector<std::pair<int, int>> lives;
    for (int second = 0; second < 13; ++second) lives.emplace_back(second, second + life);
    EXPECT_FALSE(leak_of(lives)) << life;
  }
}

TEST(Leaks, AreNotCachesThatWereFilled) {
  std::vector<std::pair<int, int>> lives;
  for (int second = 0; second < 9; ++second) lives.emplace_back(second, kNever);
  EXPECT_FALSE(leak_of(lives));
}

TEST(LiveSites, KnowWhenMemoryWasAllocated) {
  constexpr int64_t kSecond = 1'000'000'000;
  LiveSites sites;
  for (int look = 1; look <= 13; ++look) {
    profile::Profile profile = live_of({});
    profile.metadata.duration_ns = look * kSecond;
    profile.metadata.time_step_ns = kSecond / 10;
    profile::NodeId leak = profile.child(0, profile.location(profile.function("leak", profile::FrameKind::kNative), 0));
    profile::NodeId cache =
        profile.child(0, profile.location(profile.function("cache", profile::FrameKind::kNative), 0));
    const int64_t values[] = {1, 1000};
    for (int born = 0; born < look; ++born) {
      auto step = static_cast<profile::TimeStep>(born * 10 + 5);
      profile.add(leak, profile.label_set({}), values, step);
      if (look - born < 9) profile.add(cache, profile.label_set({}), values, step);
    }
    sites.add(profile, "native_inuse_space");
  }
  std::vector<Site> all = sites.sites(1);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].frames.back(), "leak");
  EXPECT_TRUE(all[0].leaks);
  EXPECT_TRUE(all[1].growth.is_certain());
  EXPECT_FALSE(all[1].leaks);
  EXPECT_DOUBLE_EQ(sites.total(1).growth.rate, 1000);
}

// Steps of 3 s up to the middle look and of 8 s behind it: what was never freed lives on in both.
TEST(LiveSites, KnowWhenMemoryWasAllocatedByLongSteps) {
  constexpr int64_t kSecond = 1'000'000'000;
  LiveSites sites;
  for (int look = 1; look <= 13; ++look) {
    int step = look < 8 ? 3 : 8;
    profile::Profile profile = live_of({});
    profile.metadata.duration_ns = look * kSecond;
    profile.metadata.time_step_ns = step * kSecond;
    profile::NodeId leak = profile.child(0, profile.location(profile.function("leak", profile::FrameKind::kNative), 0));
    const int64_t values[] = {1, 1000};
    for (int born = 0; born < look; ++born)
      profile.add(leak, profile.label_set({}), values, static_cast<profile::TimeStep>(born / step));
    sites.add(profile, "native_inuse_space");
  }
  std::vector<Site> all = sites.sites(1);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].amounts.back(), 13'000);
  EXPECT_TRUE(all[0].leaks);
}

TEST(JvmHeap, IsWhatCollectorsExpand) {
  EXPECT_TRUE(is_jvm_heap({"VMThread::run", "G1CollectedHeap::expand", "G1PageBasedVirtualSpace::commit", "mmap64"}));
  EXPECT_TRUE(is_jvm_heap({"TenuredGeneration::expand", "VirtualSpace::expand_by", "os::commit_memory", "mmap64"}));
  EXPECT_TRUE(is_jvm_heap({"PSOldGen::expand", "PSVirtualSpace::expand_by", "mmap64"}));
  EXPECT_TRUE(is_jvm_heap({"java/lang/Thread.run", "ZPageAllocator::alloc_page", "ZPhysicalMemoryManager::map"}));
  EXPECT_TRUE(is_jvm_heap({"a.B.c", "ShenandoahHeapRegion::make_regular_allocation", "mmap64"}));
  EXPECT_FALSE(is_jvm_heap({"CodeHeap::expand_by", "VirtualSpace::expand_by", "mmap64"}));
  EXPECT_FALSE(is_jvm_heap({"metaspace::VirtualSpaceNode::commit_range", "os::commit_memory", "mmap64"}));
  EXPECT_FALSE(is_jvm_heap({"a.B.c", "Unsafe_AllocateMemory0", "os::malloc", "malloc"}));
  LiveSites sites;
  sites.add(live_of({{"G1PageBasedVirtualSpace::commit", 700}, {"a", 5}}), "native_inuse_space");
  EXPECT_EQ(sites.jvm_heap(), std::vector<int64_t>{700});
  EXPECT_EQ(sites.total(1).amounts, std::vector<int64_t>{5});
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

TEST(Leaks, AreJson) {
  Leaks leaks;
  leaks.program = "Main";
  leaks.kinds.push_back({"Native memory", "native-live", {}});
  for (int64_t bytes : {0, 100'000, 200'000})
    leaks.kinds[0].sites.add(live_of({{"leak", bytes}, {"cache", 5'000'000}}), "native_inuse_space");
  leaks.seconds_apart = 36;
  leaks.looks = 3;
  leaks.arenas = Arenas{2, 3'000'000};
  auto json = nlohmann::json::parse(leaks_json(leaks, 1));
  EXPECT_EQ(json["looks"], 3);
  const auto& kind = json["kinds"][0];
  EXPECT_EQ(kind["event"], "native-live");
  EXPECT_EQ(kind["live_bytes"], 5'200'000);
  EXPECT_EQ(kind["bytes_per_hour"], 10'000'000);
  ASSERT_EQ(kind["sites"].size(), 1U);
  EXPECT_EQ(kind["sites"][0]["frames"], nlohmann::json::array({"leak"}));
  EXPECT_EQ(kind["sites"][0]["live_bytes_by_look"], nlohmann::json::array({0, 100'000, 200'000}));
  EXPECT_EQ(kind["sites"][0]["leaks"], true);
  EXPECT_EQ(json["glibc"]["arenas"], 2);
  EXPECT_FALSE(json.contains("nmt"));
  EXPECT_EQ(nlohmann::json::parse(leaks_json(Leaks(), 1))["looks"], 0);
}

TEST(Leaks, ArePages) {
  Leaks leaks;
  leaks.program = "Main";
  leaks.kinds.push_back({"Native memory", "native-live", {}});
  for (int64_t bytes : {0, 100'000, 200'000}) {
    profile::Profile look = live_of({{"leak", bytes}, {"cache", 5'000'000}, {"G1PageBasedVirtualSpace::commit", 700}});
    leaks.kinds[0].sites.add(look, "native_inuse_space");
    leaks.last = std::move(look);
  }
  leaks.seconds_apart = 36;
  leaks.looks = 3;
  profile::Profile page = profile::read(leaks_page(leaks));
  ASSERT_EQ(page.value_types.size(), 2U);
  EXPECT_EQ(page.value_types[0].type, "native_growth");
  EXPECT_EQ(page.value_types[1].type, "native_inuse_space");
  EXPECT_EQ(page.metadata.title, "Leaks of Main: growth an hour, by 3 looks 36.0 s apart");
  std::map<std::string, std::pair<int64_t, int64_t>> sums;
  for (size_t i = 0; i < page.sample_count(); ++i) {
    std::string stack;
    for (const std::string& frame : profile::frames_of(page, page.sample(i).stack))
      stack += stack.empty() ? frame : ";" + frame;
    sums[stack].first += page.values(i)[0];
    sums[stack].second += page.values(i)[1];
  }
  EXPECT_EQ(sums, (std::map<std::string, std::pair<int64_t, int64_t>>{
                      {"[leak: 10.0 MB ± 0 B an hour];leak", {10'000'000, 200'000}},
                      {"[not known to leak];cache", {0, 5'000'000}},
                      {"[heap of the JVM: no leak];G1PageBasedVirtualSpace::commit", {0, 700}}}));
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

class Dumps : public testing::Test {
 protected:
  void SetUp() override { folder_ = testing::TempDir() + "hearth-dumps-" + std::to_string(getpid()); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  // A file with the dump of a session that began at `start_ns`.
  std::string dump(int64_t start_ns, int64_t seconds, int64_t bytes) {
    constexpr int64_t kSecond = 1'000'000'000;
    profile::Profile profile = live_of({{"leak", bytes}, {"cache", 5'000'000}});
    profile.metadata.event = "nativemem";
    profile.metadata.start_unix_ns = start_ns;
    profile.metadata.duration_ns = seconds * kSecond;
    std::filesystem::create_directories(folder_);
    std::string path = folder_ + "/" + std::to_string(++number_) + ".pb.gz";
    std::ofstream(path) << profile::write_pprof(profile, {});
    return path;
  }

  static Leaks native() {
    Leaks leaks;
    leaks.kinds.push_back({"Native memory", "native-live", {}});
    return leaks;
  }

  std::string folder_;
  int number_ = 0;
};

TEST_F(Dumps, OfOneSessionAreLooks) {
  Leaks leaks = native();
  look_at_dumps({dump(7, 7200, 200'000), dump(7, 3600, 100'000), dump(7, 10800, 300'000)}, &leaks);
  EXPECT_EQ(leaks.looks, 3U);
  EXPECT_DOUBLE_EQ(leaks.seconds_apart, 3600);
  EXPECT_EQ(leaks.kinds[0].sites.sites(3600)[0].amounts, (std::vector<int64_t>{100'000, 200'000, 300'000}));
  EXPECT_NE(leaks_text(leaks, 10, {}).find("3 looks, 1 h 00 min apart"), std::string::npos);
  Leaks both = native();
  both.kinds.push_back({"Objects on the heap", "live", {}});
  look_at_dumps({dump(7, 1, 1), dump(7, 2, 1), dump(7, 3, 1)}, &both);
  EXPECT_EQ(both.kinds.size(), 1U);
}

TEST_F(Dumps, OfOthersAreRefused) {
  Leaks leaks = native();
  EXPECT_THROW(look_at_dumps({dump(7, 1, 1), dump(8, 2, 1), dump(7, 3, 1)}, &leaks), Error);
  Leaks heap;
  heap.kinds.push_back({"Objects on the heap", "live", {}});
  EXPECT_THROW(look_at_dumps({dump(7, 1, 1), dump(7, 2, 1), dump(7, 3, 1)}, &heap), Error);
}

// A store in which two runs of a program leak, each as fast as its looks say.
class Windows : public Dumps {
 protected:
  // A window of a minute, with live memory of the run since `since`, 100 bytes of each minute of it.
  void window(int64_t minute, int64_t since) {
    constexpr int64_t kMinute = 60 * kSecond;
    profile::Profile profile;
    int64_t end_ns = (kFirst + minute + 1) * kMinute;
    profile.value_types = {{"native_inuse_allocs", "count", 0, 0, (kFirst + since) * kMinute, end_ns},
                           {"native_inuse_space", "bytes", 0, 0, (kFirst + since) * kMinute, end_ns}};
    profile::NodeId stack =
        profile.child(0, profile.location(profile.function("leak", profile::FrameKind::kNative), 0));
    for (int64_t at = since; at <= minute; ++at) {
      std::string date = profile::allocation_text((kFirst + at) * 60);
      const int64_t values[] = {1, 100};
      profile.add(stack, profile.label_set({{"allocated", date, 0, ""}}), values);
    }
    std::filesystem::create_directories(folder_ + "/windows");
    std::string name = store::window_name(store::Level::kWindow, (kFirst + minute) * kMinute, kMinute, 1);
    std::ofstream(folder_ + "/windows/" + name) << profile::write_pprof(profile, {});
  }

  static constexpr int64_t kSecond = 1'000'000'000, kFirst = 29'923'680;  // minute since 1970
};

TEST_F(Windows, OfOneRunAreLooks) {
  constexpr int64_t kRestart = 20, kMinutes = 60;
  for (int64_t minute = 0; minute < kMinutes; ++minute) window(minute, minute < kRestart ? 0 : kRestart);
  Leaks leaks = native();
  look_at_store({folder_, {}}, &leaks);
  EXPECT_EQ(leaks.looks, 25U);
  EXPECT_TRUE(leaks.has_earlier_run);
  Site total = leaks.kinds[0].sites.total(leaks.seconds_apart);
  EXPECT_TRUE(total.leaks);
  EXPECT_EQ(total.amounts.front(), 100);
  EXPECT_EQ(total.amounts.back(), 100 * (kMinutes - kRestart));
  EXPECT_NEAR(total.growth.rate * 3600, 6000, 0.001);
  EXPECT_NE(leaks_text(leaks, 1, {}).find("only that run is compared"), std::string::npos);
  Leaks first = native();
  look_at_store({folder_, {INT64_MIN, (kFirst + kRestart) * 60 * kSecond}}, &first);
  EXPECT_EQ(first.looks, static_cast<size_t>(kRestart));
  EXPECT_FALSE(first.has_earlier_run);
}

TEST_F(Windows, WithoutLiveMemoryAreRefused) {
  window(0, 0);
  Leaks heap;
  heap.kinds.push_back({"Objects on the heap", "live", {}});
  EXPECT_THROW(look_at_store({folder_, {}}, &heap), Error);
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
  EXPECT_TRUE(request({"--json", "7"}).json);
  EXPECT_EQ(request({"-f", "/tmp/x.html", "7"}).page, "/tmp/x.html");
  EXPECT_ANY_THROW(parse_leaks_line({"-f", "x.pb.gz", "7"}));
  EXPECT_TRUE(request({"--fail", "7"}).fails);
  EXPECT_EQ(request({"-i", "64k", "7"}).interval, "64k");
  EXPECT_ANY_THROW(parse_leaks_line({"-i", "64k,file=/tmp/x", "7"}));
  EXPECT_EQ(request({"7"}).target, "7");
  EXPECT_EQ(request({"1.pb.gz", "2.pb.gz", "3.pb.gz"}).files.size(), 3U);
  EXPECT_ANY_THROW(parse_leaks_line({"1.pb.gz", "2.pb.gz"}));
  EXPECT_ANY_THROW(parse_leaks_line({"-d", "10", "1.pb.gz", "2.pb.gz", "3.pb.gz"}));
  EXPECT_ANY_THROW(parse_leaks_line({}));
  EXPECT_ANY_THROW(parse_leaks_line({"-e", "cpu", "7"}));
}

}  // namespace
}  // namespace hearth::launcher
