// Clocks as nanoseconds, and the processor's counter of time, which has one rate on all its cores. Any thread.
#pragma once

#include <cstdint>
#include <ctime>
#include <optional>

namespace hearth {

// Returns empty if there is no such clock. Signal safe.
inline std::optional<int64_t> reading_of(clockid_t clock) {
  timespec now{};
  if (clock_gettime(clock, &now) != 0) return std::nullopt;
  return static_cast<int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

// Returns 0 if there is no such clock. Signal safe.
inline int64_t clock_ns(clockid_t clock) {
  return reading_of(clock).value_or(0);
}

uint64_t cycle_counter();
// Its increments a second, measured once over some milliseconds; 0: the processor has none of one rate.
int64_t cycles_per_second();

}  // namespace hearth
