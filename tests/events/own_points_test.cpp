#include "events/alloc/own_points.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "made_up_sampler.h"

namespace hearth::events {
namespace {

constexpr int64_t kInterval = 512 << 10;
constexpr int64_t kLarge = 1'600'016;

// Allocations of a thread, cyclically: sizes, and the number of each.
using Round = std::vector<std::pair<int64_t, int>>;
const Round kRound = {{24, 4000}, {1040, 100}, {40'016, 5}, {kLarge, 1}};

// Estimate from the samples of the objects of one size.
struct Estimate {
  double bytes = 0;
  double samples = 0;
  double truth = 0;

  double error() const { return bytes / truth - 1; }
};
using Estimates = std::map<int64_t, Estimate>;

// Allocates about `total` bytes. `weigh` is called with each object that the sampler shows.
Estimates run(MadeUpSampler* sampler, const Round& round, int64_t total,
              const std::function<AllocationWeight(const ShownObject&)>& weigh) {
  Estimates estimates;
  sampler->show = [&](const ShownObject& shown) {
    AllocationWeight weight = weigh(shown);
    if (!weight.counts) return;
    estimates[shown.size].bytes += weight.bytes;
    estimates[shown.size].samples++;
  };
  while (total > 0) {
    for (const auto& [size, times] : round) {
      for (int i = 0; i < times; i++) sampler->allocate(size);
      estimates[size].truth += static_cast<double>(size * times);
      total -= size * times;
    }
  }
  return estimates;
}

Estimates run_by_own_points(MadeUpSampler* sampler, const Round& round, int64_t total) {
  capture::AllocationLayout layout = sampler->layout();
  capture::OwnPoints points;
  begin_own_points(layout, sampler->thread(), kInterval, &points);
  return run(sampler, round, total,
             [&](const ShownObject& shown) { return weigh_by_own_points(layout, shown, kInterval, &points); });
}

Estimates run_by_the_jvms_points(MadeUpSampler* sampler, const Round& round, int64_t total) {
  capture::AllocationLayout layout = sampler->layout();
  capture::AllocationMark last;
  return run(sampler, round, total, [&](const ShownObject& shown) {
    return weigh_sampled_object(layout, shown.thread, shown.address, shown.size, kInterval, &last);
  });
}

// TLABs that large objects fit into, that they do not, and small ones.
const MadeUpSampler::Sizes kTlabs[] = {
    {6 << 20, 1 << 30}, {1 << 20, 512 << 10}, {1 << 20, 1 << 30}, {200 << 10, 2 << 20}};
constexpr int64_t kBytes = 4'000'000'000;

TEST(OwnPoints, AreRightForEverySizeWhereverTlabsEnd) {
  constexpr double kDeviations = 5;
  const Round rounds[] = {kRound, {{24, 4000}, {40'016, 5}}, {{24, 40'000}, {8208, 100}, {262'160, 1}}};
  for (const MadeUpSampler::Sizes& sizes : kTlabs) {
    for (const Round& round : rounds) {
      MadeUpSampler sampler(kInterval, sizes, false);
      for (const auto& [size, estimate] : run_by_own_points(&sampler, round, kBytes))
        EXPECT_LE(std::abs(estimate.error()), kDeviations / std::sqrt(estimate.samples))
            << "objects of " << size << " bytes, TLABs of " << sizes.tlab;
    }
  }
}

TEST(OwnPoints, AreNeededForTheJvmMissesLargeObjectsThatBeginATlab) {
  MadeUpSampler sampler(kInterval, kTlabs[0], false);
  EXPECT_LT(run_by_the_jvms_points(&sampler, kRound, kBytes)[kLarge].error(), -0.05);
}

TEST(OwnPoints, AreRightForLargeObjectsAlsoWhereTheSamplerForgetsItsPoint) {
  for (const MadeUpSampler::Sizes& sizes : kTlabs) {
    MadeUpSampler sampler(kInterval, sizes, true);
    EXPECT_NEAR(run_by_own_points(&sampler, kRound, kBytes)[kLarge].error(), 0, 0.02) << "TLABs of " << sizes.tlab;
  }
}

}  // namespace
}  // namespace hearth::events
