// State that the wall clock keeps of a thread that it visits.
#pragma once

#include <algorithm>
#include <cstdint>

#include "events/wall/thread_state.h"
#include "events/threads/withheld_time.h"

namespace hearth::events {

struct WatchedThread {
  static constexpr int64_t kOnCpu = -1;

  // Whether a thread is on a CPU now cannot be observed: the observer takes a CPU itself. But the kernel counts how
  // long it has waited for one, and that share of its time becomes runnable; the share that the machine withheld of it
  // becomes throttled, and of the rest stolen. `weight`: nanoseconds since its last sample.
  ThreadState running_or_runnable(int64_t run_delay, int64_t weight, const WithheldSums& withheld) {
    run_delay = std::max(run_delay, run_delay_ns);
    runnable_owed_ns += run_delay - run_delay_ns;
    delayed_ns += run_delay - run_delay_ns;
    run_delay_ns = run_delay;
    if (withheld.at_ns != withheld_seen.at_ns) divide(withheld);
    if (runnable_owed_ns * 2 >= weight)
      return throttled_owed_ns * 2 >= weight ? ThreadState::kThrottled : ThreadState::kRunnable;
    return stolen_owed_ns * 2 >= weight ? ThreadState::kStolen : ThreadState::kRunning;
  }

  // Notes that a sample of `time_ns` has the state.
  void has_answered(ThreadState state, int64_t time_ns) {
    bool waited = state == ThreadState::kRunnable || state == ThreadState::kThrottled;
    bool ran = state == ThreadState::kRunning || state == ThreadState::kStolen;
    if (waited) runnable_owed_ns -= time_ns;
    if (state == ThreadState::kThrottled) throttled_owed_ns -= time_ns;
    if (ran) ran_ns += time_ns;
    if (state == ThreadState::kStolen) stolen_owed_ns -= time_ns;
  }

  // Takes the parts that were withheld of the time since the last division.
  void divide(const WithheldSums& withheld) {
    auto time_ns = static_cast<double>(withheld.at_ns - withheld_seen.at_ns);
    auto stolen_ns = static_cast<double>(withheld.stolen_ns - withheld_seen.stolen_ns);
    throttled_owed_ns += std::min(delayed_ns, withheld.throttled_ns - withheld_seen.throttled_ns);
    stolen_owed_ns += static_cast<int64_t>(static_cast<double>(ran_ns) * stolen_ns / time_ns);
    delayed_ns = ran_ns = 0;
    withheld_seen = withheld;
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
  int64_t run_delay_ns = 0;       // its wait for CPUs, as last read
  int64_t runnable_owed_ns = 0;   // the part of run_delay_ns that no sample has as runnable yet
  int64_t delayed_ns = 0;         // of run_delay_ns, since the last division
  int64_t ran_ns = 0;             // the same of samples on a CPU
  int64_t throttled_owed_ns = 0;  // the part of delayed_ns that no sample has as throttled yet
  int64_t stolen_owed_ns = 0;     // the part of ran_ns that no sample has as stolen yet
  WithheldSums withheld_seen{};   // at the last division
  uint64_t request_from_ns = 0;   // start of the time that the request covers
  int visits_unanswered = 0;      // since the request
  int64_t request_cpu_ns = kOnCpu;
  uintptr_t java_thread = 0;    // its JavaThread*, by its last answer
  uint64_t answered_at_ns = 0;  // when that was
  bool is_asked = false;        // and its answer was not read yet
};

}  // namespace hearth::events
