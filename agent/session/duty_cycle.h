// Periodic work with a bound on its share of a CPU.
#pragma once

#include <algorithm>
#include <cstdint>
#include <ctime>

#include "base/clocks.h"

namespace hearth::session {

// Does the work at `now` and returns the time of the next run. The period is at least `shortest_ns`, and so long that
// the work takes at most one 400th of a CPU, by this thread's CPU clock.
template <typename Work>
uint64_t run_with_duty_cycle(uint64_t now, uint64_t shortest_ns, Work work) {
  constexpr uint64_t kShare = 400;
  int64_t began = clock_ns(CLOCK_THREAD_CPUTIME_ID);
  work();
  auto cost = static_cast<uint64_t>(clock_ns(CLOCK_THREAD_CPUTIME_ID) - began);
  return now + std::max(shortest_ns, cost * kShare);
}

}  // namespace hearth::session
