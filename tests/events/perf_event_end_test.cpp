// The end of a session by perf_events while its threads run.
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>
#include <vector>

#include "base/error.h"
#include "capture/faults/fault_handler.h"
#include "events/event_source.h"

namespace hearth::events {
namespace {

class BusyThreads {
 public:
  explicit BusyThreads(size_t count) {
    for (size_t i = 0; i < count; i++) {
      std::atomic<int> tid{0};
      threads_.emplace_back([this, &tid] {
        tid = static_cast<int>(syscall(SYS_gettid));
        while (!ended_.load(std::memory_order_relaxed)) {
        }
      });
      while (tid == 0) std::this_thread::yield();
      tids_.push_back(tid);
    }
  }
  BusyThreads(const BusyThreads&) = delete;
  BusyThreads& operator=(const BusyThreads&) = delete;
  ~BusyThreads() {
    ended_ = true;
    for (std::thread& thread : threads_) thread.join();
  }
  const std::vector<int>& tids() const { return tids_; }

 private:
  std::atomic<bool> ended_{false};
  std::vector<std::thread> threads_;
  std::vector<int> tids_;
};

// Such a signal would end the process, as the signal's disposition is the default again.
TEST(PerfEventEnd, NoSignalComesAfterIt) {
  capture::FaultHandler faults;
  ASSERT_TRUE(faults.install());
  capture::NativeMap natives{};  // empty: stacks are of no interest
  capture::WalkPlan walk;
  walk.natives = &natives;
  BusyThreads busy(4);
  for (int cycle = 0; cycle < 1000; cycle++) {
    ThreadRegistry registry;
    capture::StackTree tree{1 << 16};
    capture::SampleRing ring{1 << 12};
    capture::Recorder recorder{&walk, &tree, &ring};
    EventPlan plan;
    plan.interval = 100'000;
    plan.recorder = &recorder;
    plan.registry = &registry;
    std::unique_ptr<EventSource> source = make_cpu_perf_event({});
    try {
      source->start(plan);
    } catch (const Error& error) {
      GTEST_SKIP() << error.what();
    }
    std::vector<capture::ThreadSlot*> slots;
    for (int tid : busy.tids()) {
      slots.push_back(registry.add(tid));
      ASSERT_TRUE(source->attach_thread(slots.back()));
    }
    std::this_thread::sleep_for(std::chrono::microseconds(500));
    source->disable();
    for (capture::ThreadSlot* slot : slots) source->detach_thread(slot);
    source->stop();
  }
}

}  // namespace
}  // namespace hearth::events
