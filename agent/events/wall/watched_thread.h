// State that the wall clock keeps of a thread that it visits.
#pragma once

#include <algorithm>
#include <cstdint>

#include "events/wall/thread_state.h"

namespace hearth::events {

struct WatchedThread {
  static constexpr int64_t kOnCpu = -1;

  // Whether a thread is on a CPU now cannot be observed: the observer takes a CPU itself. But the kernel counts how
  // long it has waited for one, and that share of its time becomes runnable. `weight`: nanoseconds since its last
  // sample.
  ThreadState running_or_runnable(int64_t run_delay, int64_t weight) {
    run_delay = std::max(run_delay, run_delay_ns);
    runnable_owed_ns += run_delay - run_delay_ns;
    run_delay_ns = run_delay;
    return runnable_owed_ns * 2 >= weight ? ThreadState::kRunnable : ThreadState::kRunning;
  }

  uint32_t serial = 0;  // 0: unused
  // Blocked since its last answer, as long as its CPU clock shows blocked_cpu_ns.
  bool blocked = false;
  int64_t blocked_cpu_ns = 0;
  int trusted = 0;  // visits since then
  int doubts = 0;   // consecutive answers with a stack without a root
  // Samples like the last answer that are not passed on yet.
  int64_t repeats = 0;
  int64_t repeated_ns = 0;
  int64_t run_delay_ns = 0;      // its wait for CPUs, as last read
  int64_t runnable_owed_ns = 0;  // the part of run_delay_ns that no sample has as runnable yet
  uint64_t request_from_ns = 0;  // start of the time that the request covers
  int visits_unanswered = 0;     // since the request
  int64_t request_cpu_ns = kOnCpu;
  uintptr_t java_thread = 0;    // its JavaThread*, by its last answer
  uint64_t answered_at_ns = 0;  // when that was
  bool is_asked = false;        // and its answer was not read yet
};

}  // namespace hearth::events
