// Counters of the kernel on real threads, against the kernel's own count.
#include <gtest/gtest.h>
#include <linux/perf_event.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <memory>
#include <string>
#include <thread>

#include "base/error.h"
#include "capture/faults/fault_handler.h"
#include "events/cpu/perf_counter.h"

namespace hearth::events {
namespace {

const PerfCounter kContextSwitches = {
    "context switches", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES, 0, 0, true};

int64_t switches_of_this_thread() {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_nvcsw + usage.ru_nivcsw;
}

class PerfCounterTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(faults_.install());
    plan_.natives = &natives_;
  }

  void begin(int64_t interval) {
    EventPlan plan;
    plan.interval = interval;
    plan.recorder = &recorder_;
    plan.registry = &registry_;
    source_ = make_perf_counter(kContextSwitches);
    try {
      source_->start(plan);
    } catch (const Error& error) {
      GTEST_SKIP() << error.what();
    }
  }

  // Returns the switches of a new thread while it was followed and took naps of 200 microseconds.
  int64_t take_naps(int naps) {
    int64_t switches = 0;
    std::thread([&] {
      capture::ThreadSlot* slot = registry_.add(static_cast<int>(syscall(SYS_gettid)));
      ASSERT_NE(slot, nullptr);
      ASSERT_TRUE(source_->attach_thread(slot));
      int64_t before = switches_of_this_thread();
      for (int i = 0; i < naps; i++) std::this_thread::sleep_for(std::chrono::microseconds(200));
      switches = switches_of_this_thread() - before;
      source_->detach_thread(slot);
      registry_.remove(slot);
    }).join();
    return switches;
  }

  int64_t end_and_sum_weights() {
    source_->disable();
    source_->stop();
    int64_t sum = 0;
    for (capture::Sample sample; ring_.pop(&sample);) sum += sample.weight;
    return sum;
  }

  ThreadRegistry registry_;
  capture::FaultHandler faults_;
  capture::NativeMap natives_{};  // empty: stacks are of no interest
  capture::WalkPlan plan_;
  capture::StackTree tree_{1 << 16};
  capture::SampleRing ring_{1 << 12};
  capture::Recorder recorder_{&plan_, &tree_, &ring_};
  std::unique_ptr<EventSource> source_;
};

TEST_F(PerfCounterTest, WeightsAddUpToTheKernelsCount) {
  constexpr int64_t kInterval = 10;
  begin(kInterval);
  if (IsSkipped()) return;
  int64_t switches = take_naps(1000);
  EXPECT_GE(switches, 1000);
  // A part of an interval at each end, and preemption inside the handler.
  EXPECT_NEAR(static_cast<double>(end_and_sum_weights()), static_cast<double>(switches), 2 * kInterval);
}

TEST_F(PerfCounterTest, ASleepingThreadKeepsItsRate) {
  begin(1'000'000);
  if (IsSkipped()) return;
  constexpr int kNaps = 500;
  int64_t alone = take_naps(kNaps);
  end_and_sum_weights();
  begin(10);
  int64_t sampled = take_naps(kNaps);
  end_and_sum_weights();
  EXPECT_LE(sampled, alone + kNaps / 5);  // one more in nine, and preemption
}

// Each has fewer switches than an interval, so few have a sample.
TEST_F(PerfCounterTest, ShortThreadsCountAsMuchAsTheySwitch) {
  begin(20);
  if (IsSkipped()) return;
  int64_t switches = 0;
  for (int i = 0; i < 300; i++) switches += take_naps(5);
  EXPECT_NEAR(static_cast<double>(end_and_sum_weights()), static_cast<double>(switches),
              0.4 * static_cast<double>(switches));  // four standard deviations
}

}  // namespace
}  // namespace hearth::events
