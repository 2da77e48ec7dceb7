// Clocks as nanoseconds, and the CPU clock of any thread of this process. Signal safe.
#pragma once

#include <cstdint>
#include <ctime>

namespace hearth::events {

// ~tid in the upper bits, CPUCLOCK_PERTHREAD_MASK 4 | CPUCLOCK_SCHED 2 (linux/posix-timers.h).
inline clockid_t cpu_clock_of(int tid) {
  return static_cast<clockid_t>((~static_cast<unsigned>(tid) << 3) | 6);
}

// 0 when the clock is that of a thread which has ended.
inline int64_t clock_ns(clockid_t clock) {
  timespec now{};
  if (clock_gettime(clock, &now) != 0) return 0;
  return static_cast<int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

}  // namespace hearth::events
