#include "events/threads/withheld_time.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "events/wall/watched_thread.h"

namespace hearth::events {
namespace {

constexpr int64_t kMs = 1'000'000;

using Files = std::vector<std::string>;

TEST(WithheldTime, FindsTheFilesOfBothVersionsOfCgroups) {
  EXPECT_EQ(
      cpu_stat_files("0::/a.slice/b.scope\n",
                     "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n"),
      Files({"/sys/fs/cgroup/a.slice/b.scope/cpu.stat", "/sys/fs/cgroup/a.slice/cpu.stat", "/sys/fs/cgroup/cpu.stat"}));
  EXPECT_EQ(cpu_stat_files("4:memory:/m\n2:cpuacct,cpu:/c\n",
                           "31 23 0:27 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
                           "32 23 0:28 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct\n"),
            Files({"/sys/fs/cgroup/cpu/c/cpu.stat", "/sys/fs/cgroup/cpu/cpu.stat"}));
}

TEST(WithheldTime, AMountOfTheContainersOwnGroupIsItsRoot) {
  EXPECT_EQ(
      cpu_stat_files("2:cpu:/docker/7f\n", "32 23 0:28 /docker/7f /sys/fs/cgroup/cpu ro - cgroup cgroup rw,cpu\n"),
      Files({"/sys/fs/cgroup/cpu/cpu.stat"}));
  EXPECT_EQ(cpu_stat_files("0::/\n", "30 23 0:26 /../.. /sys/fs/cgroup ro - cgroup2 cgroup rw\n"),
            Files({"/sys/fs/cgroup/cpu.stat"}));
  EXPECT_EQ(cpu_stat_files("", ""), Files());
  EXPECT_EQ(cpu_stat_files("nonsense\n:\n", "nonsense\n"), Files());
}

TEST(WithheldTime, ReadsWhatTheKernelCounts) {
  WithheldCounts::Group group = parse_cpu_stat("nr_periods 5\nnr_throttled 3\nthrottled_time 1234\n");
  EXPECT_EQ(group.throttled_ns, 1234);
  EXPECT_EQ(group.used_ns, -1);
  group = parse_cpu_stat("usage_usec 7\nuser_usec 5\nthrottled_usec 2");
  EXPECT_EQ(group.throttled_ns, 2000);
  EXPECT_EQ(group.used_ns, 7000);
  WithheldCounts counts;
  parse_stolen("cpu  100 10 50 999 888 1 2 30 0 0\ncpu0 1 1 1 1 1 1 1 1\n", &counts);
  EXPECT_EQ(counts.busy_ticks, 163);
  EXPECT_EQ(counts.stolen_ticks, 30);
}

// Two CPUs that each run for 30 of 100 ms.
TEST(WithheldTime, IsTheShareOfAThreadThatWantsACpu) {
  WithheldCounts before, after;
  before.groups = {{0, -1}};
  after.groups = {{140 * kMs, -1}};
  after.process_cpu_ns = 60 * kMs;
  after.stolen_ticks = 5;
  after.busy_ticks = 15;
  WithheldSums sums;
  add_withheld(before, after, 100 * kMs, &sums);
  EXPECT_EQ(sums.throttled_ns, 70 * kMs);
  EXPECT_EQ(sums.stolen_ns, 25 * kMs);
  after.groups = {{140 * kMs, 60 * kMs}, {100 * kMs, 0}};
  before.groups = {{0, 0}, {0, 0}};
  add_withheld(before, after, 100 * kMs, &sums);
  EXPECT_EQ(sums.throttled_ns, 170 * kMs) << "not more than all of the time";
}

// Visits a thread each 10 ms for 10 s, of which `delayed` are a wait for a CPU; sums its time by state.
std::map<ThreadState, int64_t> visited(double delayed, double throttled, double stolen) {
  constexpr int64_t kStep = 10 * kMs;
  constexpr int kVisits = 1000, kVisitsInPeriod = 100;
  WatchedThread thread;
  WithheldSums sums;
  sums.at_ns = 1;
  thread.withheld_seen = sums;
  std::map<ThreadState, int64_t> times;
  for (int visit = 1; visit <= kVisits; ++visit) {
    if (visit % kVisitsInPeriod == 0) {
      sums.at_ns += kVisitsInPeriod * kStep;
      sums.throttled_ns += static_cast<int64_t>(throttled * kVisitsInPeriod * kStep);
      sums.stolen_ns += static_cast<int64_t>(stolen * kVisitsInPeriod * kStep);
    }
    auto run_delay = static_cast<int64_t>(delayed * static_cast<double>(visit) * kStep);
    ThreadState state = thread.running_or_runnable(run_delay, kStep, sums);
    thread.has_answered(state, kStep);
    times[state] += kStep;
  }
  return times;
}

TEST(WithheldTime, DividesTheTimeOfAThread) {
  constexpr double kSecond = 1e9;
  std::map<ThreadState, int64_t> times = visited(0.6, 0.4, 0.25);
  EXPECT_NEAR(static_cast<double>(times[ThreadState::kThrottled]), 4 * kSecond, 0.5 * kSecond);
  EXPECT_NEAR(static_cast<double>(times[ThreadState::kRunnable]), 2 * kSecond, 0.5 * kSecond);
  EXPECT_NEAR(static_cast<double>(times[ThreadState::kStolen]), 1 * kSecond, 0.2 * kSecond);
  EXPECT_NEAR(static_cast<double>(times[ThreadState::kRunning]), 3 * kSecond, 0.2 * kSecond);
}

TEST(WithheldTime, NoThreadIsThrottledLongerThanItWaited) {
  std::map<ThreadState, int64_t> times = visited(0.1, 0.9, 0);
  EXPECT_EQ(times[ThreadState::kStolen], 0);
  EXPECT_LE(times[ThreadState::kThrottled], 1000 * kMs);
  EXPECT_GE(times[ThreadState::kThrottled], 800 * kMs);
  EXPECT_EQ(visited(0, 0.9, 0)[ThreadState::kThrottled], 0) << "it was blocked";
}

}  // namespace
}  // namespace hearth::events
