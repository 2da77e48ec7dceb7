#include "events/threads/thread_clock.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "events/handlers/current_tid.h"

namespace hearth::events {
namespace {

TEST(ThreadClock, IsThatOfTheThreadForAsLongAsThereIsOne) {
  std::atomic<int> tid{0};
  std::atomic<bool> ends{false};
  std::thread thread([&] {
    tid = current_tid();
    while (!ends) std::this_thread::yield();
  });
  while (tid == 0) std::this_thread::yield();
  EXPECT_TRUE(cpu_ns_of(tid).has_value());
  ends = true;
  thread.join();
  // The kernel removes a thread a moment after it has reported its end.
  while (cpu_ns_of(tid)) std::this_thread::yield();
  EXPECT_EQ(clock_ns(cpu_clock_of(tid)), 0);
}

}  // namespace
}  // namespace hearth::events
