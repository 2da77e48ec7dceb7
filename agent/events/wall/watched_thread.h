// State that the wall clock keeps of a thread that it visits.
#pragma once

#include <algorithm>
#include <cstdint>

#include "events/threads/withheld_time.h"
#include "events/wall/thread_state.h"

namespace hearth::events {

// A part of a thread's time that is known for whole seconds only: until then it is assumed to be the share that it was.
class WithheldPart {
 public:
  // More of the time that it is a part of.
  void add(int64_t time_ns) {
    auto assumed_ns = static_cast<int64_t>(share_ * static_cast<double>(time_ns));
    of_ns_ += time_ns;
    assumed_ns_ += assumed_ns;
    owed_ns_ += assumed_ns;
  }
  // `part_ns`: the part of the time since the last call.
  void settle(int64_t part_ns) {
    owed_ns_ += part_ns - assumed_ns_;
    if (of_ns_ > 0) share_ = static_cast<double>(part_ns) / static_cast<double>(of_ns_);
    of_ns_ = assumed_ns_ = 0;
  }
  void has_sample(int64_t time_ns) { owed_ns_ -= time_ns; }

  int64_t of_ns() const { return of_ns_; }      // added since the last settle()
  int64_t owed_ns() const { return owed_ns_; }  // what no sample has yet

 private:
  double share_ = 0;
  int64_t of_ns_ = 0;
  int64_t assumed_ns_ = 0;  // of of_ns_
  int64_t owed_ns_ = 0;
};

struct WatchedThread {
  static constexpr int64_t kOnCpu = -1;

  // Whether a thread is on a CPU now cannot be observed: the observer takes a CPU itself. But the kernel counts how
  // long it has waited for one, and that share of its time becomes runnable; the share that the machine withheld of it
  // becomes throttled, and of the rest stolen. `weight`: nanoseconds since its last sample.
  ThreadState running_or_runnable(int64_t run_delay, int64_t weight, const WithheldSums& withheld) {
    run_delay = std::max(run_delay, run_delay_ns);
    runnable_owed_ns += run_delay - run_delay_ns;
    throttled.add(run_delay - run_delay_ns);
    run_delay_ns = run_delay;
    if (withheld.at_ns != withheld_seen.at_ns) divide(withheld);
    if (runnable_owed_ns * 2 >= weight)
      return throttled.owed_ns() * 2 >= runnable_owed_ns ? ThreadState::kThrottled : ThreadState::kRunnable;
    return stolen.owed_ns() * 2 >= weight ? ThreadState::kStolen : ThreadState::kRunning;
  }

  // Notes that a sample of `time_ns` has the state.
  void has_answered(ThreadState state, int64_t time_ns) {
    bool waited = state == ThreadState::kRunnable || state == ThreadState::kThrottled;
    bool ran = state == ThreadState::kRunning || state == ThreadState::kStolen;
    if (waited) runnable_owed_ns -= time_ns;
    if (ran) stolen.add(time_ns);
    if (state == ThreadState::kThrottled) throttled.has_sample(time_ns);
    if (state == ThreadState::kStolen) stolen.has_sample(time_ns);
  }

  // Takes the parts that were withheld of the time since the last division.
  void divide(const WithheldSums& withheld) {
    // The kernel counts a wait when it ends, so two counts of the same one may be in neighbouring divisions.
    constexpr int64_t kMostLeft = 200'000'000;
    auto time_ns = static_cast<double>(withheld.at_ns - withheld_seen.at_ns);
    auto stolen_ns = static_cast<double>(withheld.stolen_ns - withheld_seen.stolen_ns);
    int64_t waited_ns = throttled.of_ns() + waited_left_ns;
    auto all_throttled_ns = static_cast<double>(withheld.throttled_ns - withheld_seen.throttled_ns);
    double wanted = std::min(1.0, static_cast<double>(throttled.of_ns() + stolen.of_ns() + kMostLeft) / time_ns);
    int64_t throttled_ns = static_cast<int64_t>(wanted * all_throttled_ns) + throttled_left_ns;
    int64_t both_ns = std::min(waited_ns, throttled_ns);
    waited_left_ns = std::min(waited_ns - both_ns, kMostLeft);
    throttled_left_ns = std::min(throttled_ns - both_ns, kMostLeft);
    throttled.settle(both_ns);
    stolen.settle(static_cast<int64_t>(static_cast<double>(stolen.of_ns()) * stolen_ns / time_ns));
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
  WithheldPart throttled;         // of run_delay_ns
  WithheldPart stolen;            // of its samples on a CPU
  int64_t waited_left_ns = 0;     // without a throttling at the last division
  int64_t throttled_left_ns = 0;  // without a wait
  WithheldSums withheld_seen{};   // at the last division
  uint64_t request_from_ns = 0;   // start of the time that the request covers
  int visits_unanswered = 0;      // since the request
  int64_t request_cpu_ns = kOnCpu;
  uintptr_t java_thread = 0;    // its JavaThread*, by its last answer
  uint64_t answered_at_ns = 0;  // when that was
  bool is_asked = false;        // and its answer was not read yet
};

}  // namespace hearth::events
