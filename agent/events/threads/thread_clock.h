// The CPU clock of any thread of this process. Signal safe.
#pragma once

#include <cstdint>
#include <ctime>
#include <optional>

#include "base/clocks.h"

namespace hearth::events {

// Encoding of linux/posix-timers.h: ~tid in the upper bits, CPUCLOCK_PERTHREAD_MASK 4 | CPUCLOCK_SCHED 2.
inline clockid_t cpu_clock_of(int tid) {
  return static_cast<clockid_t>((~static_cast<unsigned>(tid) << 3) | 6);
}

// Returns empty if the thread has ended. A thread that has run may have 0: the hypervisor's share is not the thread's
// (kernel/sched/core.c, update_rq_clock_task).
inline std::optional<int64_t> cpu_ns_of(int tid) {
  return reading_of(cpu_clock_of(tid));
}

}  // namespace hearth::events
