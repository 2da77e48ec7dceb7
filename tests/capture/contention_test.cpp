// Many threads in their handlers at once: each has a place to work, and no weight is lost.
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <set>
#include <thread>
#include <vector>

#include "capture/faults/fault_handler.h"
#include "capture/recorder.h"
#include "symbols/elf/native_modules.h"

namespace hearth::capture {
namespace {

TEST(ScratchPool, LendsEachPlaceOnce) {
  ScratchPool pool;
  std::set<WalkScratch*> lent;
  for (uint32_t i = 0; i < ScratchPool::kBuffers; i++) lent.insert(pool.take());
  EXPECT_EQ(lent.size(), ScratchPool::kBuffers);
  EXPECT_EQ(lent.count(nullptr), 0u);
  EXPECT_EQ(pool.take(), nullptr);
  for (WalkScratch* scratch : lent) pool.give_back(scratch);
  EXPECT_EQ(pool.take(), *lent.begin());
}

class Contention : public testing::TestWithParam<int> {};

TEST_P(Contention, LosesNoWeight) {
  constexpr int64_t kEach = 50;
  const int threads = GetParam();
  symbols::NativeModules modules;
  modules.refresh();
  FaultHandler faults;
  ASSERT_TRUE(faults.install());
  WalkPlan plan;
  plan.natives = modules.map();
  StackTree tree(1 << 20);
  SampleRing ring(1 << 14);
  Recorder recorder(&plan, &tree, &ring);
  ASSERT_TRUE(recorder.ok());

  std::vector<ThreadSlot> slots(static_cast<size_t>(threads));
  std::atomic<int> waiting{threads};
  std::vector<std::thread> workers;
  workers.reserve(slots.size());
  for (ThreadSlot& slot : slots) {
    workers.emplace_back([&] {
      ucontext_t here{};
      getcontext(&here);
      for (waiting--; waiting > 0;) std::this_thread::yield();
      for (int64_t weight = 1; weight <= kEach; weight++) {
        SampleInfo info;
        info.weight = weight;
        recorder.record(&here, &slot, info, nullptr, 0);
      }
    });
  }
  for (std::thread& worker : workers) worker.join();

  int64_t stored = 0;
  for (Sample sample; ring.pop(&sample);) stored += sample.weight;
  EXPECT_EQ(stored, threads * kEach * (kEach + 1) / 2);
  EXPECT_EQ(recorder.counters().samples, static_cast<uint64_t>(threads * kEach));
  EXPECT_EQ(recorder.counters().lost, 0u);
}

INSTANTIATE_TEST_SUITE_P(Threads, Contention, testing::Values(1, 64, 200));

}  // namespace
}  // namespace hearth::capture
