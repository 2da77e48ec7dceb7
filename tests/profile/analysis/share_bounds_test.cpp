#include "profile/analysis/share_bounds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "profile/analysis/sampling_variance.h"
#include "profile/analysis/summary.h"
#include "sample_profile.h"

namespace hearth::profile {
namespace {

constexpr auto kJava = FrameKind::kJit;
constexpr auto kClass = FrameKind::kClass;
constexpr int64_t kInterval = 512 << 10;

Profile allocations(int64_t interval = kInterval) {
  Profile profile;
  profile.value_types = {{"alloc_objects", "count"}, {"alloc_space", "bytes", interval}};
  return profile;
}

ShareBounds bounds_of(const Profile& profile, size_t value) {
  return ShareBounds(call_tree(profile, {}), value);
}

// The weight of objects of that size, at a site of that name.
void allocate(Profile& profile, const char* site, int64_t size, double objects) {
  LabelSetId labels = profile.label_set({{std::string(kSizeLabel), "", size, "bytes"}});
  add(profile, {{site, kJava}, {"A", kClass}},
      {std::llround(objects), std::llround(objects * static_cast<double>(size))}, labels);
}

TEST(ShareBounds, OfCountedSamplesAreThoseOfAShareOfSoMany) {
  constexpr int64_t kNanoseconds = 10'000'000;
  Profile cpu;
  cpu.value_types = {{"samples", "count"}, {"cpu", "nanoseconds", kNanoseconds}};
  add(cpu, {{"main", kJava}, {"quarter", kJava}}, {100, 100 * kNanoseconds});
  add(cpu, {{"main", kJava}, {"rest", kJava}}, {300, 300 * kNanoseconds});
  ShareBounds bounds = bounds_of(cpu, 1);
  ASSERT_TRUE(bounds.known());
  double variance = 100.0 * kNanoseconds * kNanoseconds;
  EXPECT_NEAR(bounds.half_width(100 * kNanoseconds, variance), 1.96 * std::sqrt(0.25 * 0.75 / 400), 1e-9);
}

TEST(ShareBounds, OfCountedSamplesFollowTheirWeights) {
  auto half_width = [](const char* event, int64_t interval, int64_t samples, int64_t weight) {
    Profile profile;
    profile.value_types = {{"samples", "count"}, {event, "count", interval}};
    for (const char* site : {"half", "rest"}) add(profile, {{site, kJava}}, {samples, weight});
    CallTree tree = call_tree(profile, {});
    ShareBounds bounds(tree, 1);
    return bounds.known() ? bounds.half_width(weight, tree.variance[1][1]) : -1;
  };
  EXPECT_EQ(half_width("exceptions", 0, 100, 100), 0) << "all were recorded";
  EXPECT_NEAR(half_width("exceptions", 0, 100, 100'000), 1.96 * std::sqrt(0.25 / 200), 1e-4) << "one of 1000";
  EXPECT_NEAR(half_width("page_faults", 10, 1000, 1000), 1.96 * std::sqrt(0.25 / 200), 1e-4)
      << "most samples of the row are of other events";
  EXPECT_EQ(half_width("holders", 10, 100, 1000), -1) << "how the weights differ is not known";
}

TEST(ShareBounds, OfSampledObjectsNeedTheirSizes) {
  Profile exact = allocations(0);
  add(exact, {{"main", kJava}, {"byte[]", kClass}}, {10, 160});
  EXPECT_FALSE(bounds_of(exact, 1).known());
  Profile sampled = allocations();
  add(sampled, {{"main", kJava}, {"byte[]", kClass}}, {10, 160});
  EXPECT_FALSE(bounds_of(sampled, 0).known()) << "how large the ten are is not known";
  EXPECT_TRUE(bounds_of(sampled, 1).known());
  Profile sized = allocations();
  allocate(sized, "main", 16, 10);
  EXPECT_TRUE(bounds_of(sized, 0).known());
  EXPECT_TRUE(bounds_of(sized, 1).known());
}

TEST(ShareBounds, SmallObjectsAreAsUncertainAsTheirSamples) {
  Profile profile = allocations();
  constexpr int64_t kSamples = 100;
  for (const char* site : {"half", "rest"}) allocate(profile, site, 16, kSamples * kInterval / 16.0);
  for (size_t value : {0, 1}) {
    ShareBounds bounds = bounds_of(profile, value);
    std::vector<MethodWeight> methods = method_weights(call_tree(profile, {}), value, false);
    const MethodWeight& half = methods[1];
    ASSERT_EQ(half.name, "half");
    EXPECT_NEAR(bounds.half_width(half.total, half.total_variance), 1.96 * 0.5 / std::sqrt(2.0 * kSamples), 1e-5);
    EXPECT_EQ(methods[0].name, "A");
    EXPECT_EQ(bounds.half_width(methods[0].self, methods[0].self_variance), 0) << "all of it is sure to be all of it";
  }
}

TEST(ShareBounds, HugeObjectsAreAllMet) {
  Profile profile = allocations();
  add(profile, {{"a", kJava}, {"A", kClass}}, {50, int64_t{50} * 40 * kInterval});
  add(profile, {{"b", kJava}, {"A", kClass}}, {50, int64_t{50} * 40 * kInterval});
  ShareBounds bounds = bounds_of(profile, 1);
  std::vector<Path> paths = hottest_paths(call_tree(profile, {}), 1, false, 10);
  EXPECT_LT(bounds.half_width(paths[0].total, paths[0].total_variance), 1e-6);
}

// Profiles of the same allocations: small objects at two sites, medium ones at a third and at the first.
TEST(ShareBounds, HoldTheTruthInNineteenOfTwentyProfiles) {
  struct Site {
    const char* name;
    int64_t size, objects;
  };
  constexpr Site kSites[] = {
      {"small", 16, 2'000'000}, {"small", 100'000, 300}, {"large", 48, 1'000'000}, {"medium", 300'000, 100}};
  constexpr int kProfiles = 2000;
  std::mt19937_64 random(7);
  int held[2] = {};
  for (int i = 0; i < kProfiles; i++) {
    Profile profile = allocations();
    for (const Site& site : kSites) {
      double chance = -std::expm1(-static_cast<double>(site.size) / kInterval);
      auto met = static_cast<double>(std::binomial_distribution<int64_t>(site.objects, chance)(random));
      allocate(profile, site.name, site.size, met / chance);
    }
    for (size_t value : {0, 1}) {
      double truth = value == 0 ? 2.0003e6 / 3.0004e6 : 62e6 / 140e6;
      CallTree tree = call_tree(profile, {});
      ShareBounds bounds(tree, value);
      for (const MethodWeight& method : method_weights(tree, value, false)) {
        if (method.name != "small") continue;
        double share = static_cast<double>(method.total) / static_cast<double>(tree.total(value));
        held[value] += std::abs(share - truth) <= bounds.half_width(method.total, method.total_variance);
      }
    }
  }
  for (int times : held) EXPECT_NEAR(times, 0.95 * kProfiles, 0.03 * kProfiles);
}

// Some of the sampled objects were kept: of small ones, of ones that are all sampled, then of all.
TEST(ShareBounds, HoldTheTruthWhereOfThoseMetSomeWereKept) {
  constexpr int64_t kThreshold = 64 * kInterval;
  constexpr int64_t kSizes[] = {4096, 40 * kInterval};
  constexpr int64_t kObjects[] = {2'000'000, 2000};
  constexpr int kProfiles = 2000;
  std::mt19937_64 random(11);
  for (int64_t interval : {kInterval, int64_t{0}}) {
    for (int kind : {0, 1}) {
      int held[2] = {};
      for (int i = 0; i < kProfiles; i++) {
        Profile profile = allocations(interval);
        profile.value_types[1].threshold = kThreshold;
        auto size = static_cast<double>(kSizes[kind]);
        double met_by = interval == 0 ? 1 : -std::expm1(-size / static_cast<double>(interval));
        double chance = std::min(met_by, size / kThreshold);
        for (const char* site : {"a", "b"}) {
          auto met = static_cast<double>(std::binomial_distribution<int64_t>(kObjects[kind], chance)(random));
          allocate(profile, site, kSizes[kind], met / chance);
        }
        CallTree tree = call_tree(profile, {});
        for (size_t value : {0, 1}) {
          ShareBounds bounds(tree, value);
          for (const MethodWeight& method : method_weights(tree, value, false)) {
            if (method.name != "a") continue;
            double share = static_cast<double>(method.total) / static_cast<double>(tree.total(value));
            held[value] += std::abs(share - 0.5) <= bounds.half_width(method.total, method.total_variance);
          }
        }
      }
      for (int times : held) EXPECT_NEAR(times, 0.95 * kProfiles, 0.03 * kProfiles) << interval << " " << kind;
    }
  }
}

}  // namespace
}  // namespace hearth::profile
