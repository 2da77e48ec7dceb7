#include "events/alloc/allocation_weight.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <random>
#include <thread>

#include "events/handlers/tlab_handlers.h"

namespace hearth::events {
namespace {

constexpr int64_t kInterval = 512 << 10;

// Objects of one size, met as the JVM meets them: wherever a point of a Poisson process lies in them.
double estimate(int64_t size, int objects, double AllocationWeight::*value) {
  std::mt19937_64 random(size);
  std::exponential_distribution<double> distance(1.0 / kInterval);
  double sum = 0;
  double next = distance(random);
  for (int i = 0; i < objects; i++) {
    next -= static_cast<double>(size);
    if (next > 0) continue;
    sum += weight_of_allocation(size, kInterval).*value;
    next = distance(random);
  }
  return sum;
}

TEST(AllocationWeight, IsUnbiasedForEverySize) {
  constexpr int kObjects = 20'000'000;
  for (int64_t size : {24, 1040}) {
    EXPECT_NEAR(estimate(size, kObjects, &AllocationWeight::bytes) / (static_cast<double>(size) * kObjects), 1, 0.05);
    EXPECT_NEAR(estimate(size, kObjects, &AllocationWeight::objects) / kObjects, 1, 0.05);
  }
  constexpr int kLarge = 100'000;
  for (int64_t size : {kInterval / 4, kInterval, 1'600'016L}) {
    EXPECT_NEAR(estimate(size, kLarge, &AllocationWeight::bytes) / (static_cast<double>(size) * kLarge), 1, 0.02);
    EXPECT_NEAR(estimate(size, kLarge, &AllocationWeight::objects) / kLarge, 1, 0.02);
  }
}

TEST(AllocationWeight, WithoutAnIntervalEveryObjectIsOne) {
  EXPECT_EQ(weight_of_allocation(24, 0).bytes, 24);
  EXPECT_EQ(weight_of_allocation(24, 0).objects, 1);
}

// A thread with the JVM's layout: its counter, and a TLAB.
struct MadeUpThread {
  int64_t bytes = 0;
  uintptr_t start = 0x10000;
  uintptr_t top = 0x10000;
  int64_t point = 0;

  uintptr_t address() const { return reinterpret_cast<uintptr_t>(this); }
  static capture::AllocationLayout layout(bool loses_count) {
    capture::AllocationLayout layout;
    layout.known = true;
    layout.allocated_bytes = offsetof(MadeUpThread, bytes);
    layout.tlab_start = offsetof(MadeUpThread, start);
    layout.tlab_top = offsetof(MadeUpThread, top);
    layout.loses_count = loses_count;
    layout.sample_point = offsetof(MadeUpThread, point);
    return layout;
  }
};

// As HotSpot gives a TLAB up and takes the next, in Eden above, while another thread reads.
TEST(AllocatedBytes, OfARunningThreadNeverLeapsAcrossTheHeap) {
  constexpr uintptr_t kTlab = 2048;
  constexpr int kTlabs = 3'000'000;
  MadeUpThread thread;
  capture::AllocationLayout layout = MadeUpThread::layout(false);
  std::atomic<bool> ended{false};
  std::thread allocator([&] {
    auto set = [](auto* field, auto value) { __atomic_store_n(field, value, __ATOMIC_RELEASE); };
    for (uintptr_t tlab = 1; tlab <= kTlabs; tlab++) {
      set(&thread.top, thread.start + kTlab);
      set(&thread.bytes, thread.bytes + static_cast<int64_t>(kTlab));
      uintptr_t start = 0x10000 + (tlab % 2 == 0 ? 0 : kTlab << 20);
      set(&thread.start, uintptr_t{0});
      set(&thread.top, uintptr_t{0});
      set(&thread.top, start);
      set(&thread.start, start);
    }
    ended = true;
  });
  while (!ended) {
    int64_t least = __atomic_load_n(&thread.bytes, __ATOMIC_ACQUIRE);
    int64_t told = allocated_bytes(layout, thread.address());
    int64_t most = __atomic_load_n(&thread.bytes, __ATOMIC_ACQUIRE) + static_cast<int64_t>(kTlab);
    EXPECT_GE(told, least);
    EXPECT_LE(told, most);
  }
  allocator.join();
  EXPECT_EQ(allocated_bytes(layout, thread.address()), int64_t{kTlab} * kTlabs);
}

TEST(SampledObject, TheFirstOfATlabIsAMistakeOfASamplerThatLosesCount) {
  MadeUpThread thread;
  thread.top += 1000;
  capture::AllocationMark last;
  for (bool loses : {true, false}) {
    capture::AllocationLayout layout = MadeUpThread::layout(loses);
    EXPECT_EQ(weigh_sampled_object(layout, thread.address(), 0x10000, 24, kInterval, &last).counts, !loses);
    EXPECT_TRUE(weigh_sampled_object(layout, thread.address(), 0x10018, 24, kInterval, &last).counts);
    EXPECT_TRUE(weigh_sampled_object(layout, thread.address(), 0x10000, 24, 0, &last).counts);
  }
}

TEST(SampledObject, TheFirstOfATlabCountsIfItIsManyIntervalsLarge) {
  MadeUpThread thread;
  thread.top += 1040;
  capture::AllocationMark last;
  capture::AllocationLayout layout = MadeUpThread::layout(true);
  AllocationWeight weight = weigh_sampled_object(layout, thread.address(), 0x10000, 1040, 16, &last);
  EXPECT_TRUE(weight.counts);
  EXPECT_NEAR(weight.objects, 1, 1e-9);
}

TEST(SampledObject, OutsideOfTheTlabOnlyThePartBeyondItCanBeSampled) {
  constexpr int64_t kSize = 1'600'016;
  MadeUpThread thread;
  thread.bytes = 10'000'000;
  thread.top += 200'000;
  capture::AllocationLayout layout = MadeUpThread::layout(true);
  EXPECT_EQ(allocated_bytes(layout, thread.address()), 10'200'000);
  capture::AllocationMark last = {10'200'000 - kSize - 150'000, 0, 0};
  AllocationWeight weight = weigh_sampled_object(layout, thread.address(), 0x900000, kSize, kInterval, &last);
  EXPECT_EQ(last.bytes, 10'200'000);
  EXPECT_EQ(last.tlab, thread.start);
  EXPECT_EQ(last.top, thread.top);
  EXPECT_DOUBLE_EQ(weight.objects, weight_of_allocation(kSize, kInterval, 150'000).objects);
  // No more than lies in the TLAB.
  last = {};
  weight = weigh_sampled_object(layout, thread.address(), 0x900000, kSize, kInterval, &last);
  EXPECT_DOUBLE_EQ(weight.objects, weight_of_allocation(kSize, kInterval, 200'000).objects);
}

TEST(SampledObject, OutsideOfTheTlabNoBytesArePassedOver) {
  constexpr int64_t kSize = 262'160;
  MadeUpThread thread;
  thread.bytes = 10'000'000;
  thread.top += 200'000;
  capture::AllocationLayout layout = MadeUpThread::layout(true);
  // Since the last sample three such objects, and 80,000 bytes in the TLAB.
  capture::AllocationMark last = {10'200'000 - 4 * kSize - 80'000, thread.start, thread.top - 80'000};
  AllocationWeight weight = weigh_sampled_object(layout, thread.address(), 0x900000, kSize, kInterval, &last);
  EXPECT_DOUBLE_EQ(weight.objects, weight_of_allocation(kSize, kInterval, 20'000).objects);
}

// Of a thread that allocates 100 bytes at a time in TLABs of 1000, the first at 5000 of its bytes.
TEST(TracedObject, HasTheWeightOfAllSinceThePrevious) {
  capture::AllocationMark last;
  TlabWeight first = weigh_traced_object(100, false, 0, 5000, &last);
  EXPECT_EQ(first.bytes, 100) << "what was before the session is not known";
  EXPECT_EQ(first.objects, 1);
  TlabWeight second = weigh_traced_object(100, false, 0, 6000, &last);
  EXPECT_EQ(second.bytes, 900);
  EXPECT_EQ(second.objects, 9);
  EXPECT_EQ(weigh_traced_object(50, false, 0, 7000, &last).objects, 20);
}

TEST(TracedObject, OutsideOfTlabsALargeOneHasItsOwnWeight) {
  capture::AllocationMark last = {1000, 0, 0, 1000};
  TlabWeight large = weigh_traced_object(5000, true, 2000, 7000, &last);
  EXPECT_EQ(large.bytes, 5000);
  EXPECT_EQ(large.objects, 1);
  EXPECT_EQ(last.bytes, 6000) << "the other thousand is still to be accounted for";
  TlabWeight small = weigh_traced_object(1500, true, 2000, 8500, &last);
  EXPECT_EQ(small.bytes, 2500);
}

TEST(TracedObject, LessThanTheIntervalIsAddedToTheNext) {
  capture::AllocationMark last = {1000, 0, 0, 1000};
  EXPECT_EQ(weigh_traced_object(10, false, 2000, 2500, &last).bytes, 0);
  EXPECT_EQ(weigh_traced_object(10, false, 2000, 4000, &last).bytes, 3000);
  EXPECT_EQ(last.bytes, 4000);
}

TEST(TracedObject, IsTheFirstAfterACounterReset) {
  capture::AllocationMark last;
  EXPECT_EQ(weigh_traced_object(100, false, 0, 5000, &last).bytes, 100);
  EXPECT_EQ(weigh_traced_object(20, true, 30, 5020, &last).bytes, 0) << "the first is counted later";
  EXPECT_EQ(weigh_traced_object(70, false, 0, 1000, &last).bytes, 70);
  EXPECT_EQ(weigh_traced_object(70, false, 0, 2000, &last).bytes, 930);
}

}  // namespace
}  // namespace hearth::events
