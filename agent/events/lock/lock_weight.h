// What one sampled wait for a lock stands for. Signal safe.
#pragma once

#include <cstdint>

namespace hearth::events {

struct LockWeight {
  int64_t delay_ns = 0;
  double contentions = 0;  // 0: it is passed over
};

// A wait of `time_ns`, above 0, is met with the chance time / interval, at most 1, and stands for as many as there were
// for each that is met: so both sums are right on average, whatever the interval, and long waits are exact. Interval 0
// meets each. `seed`: anything that is another for each wait, as when it ended.
inline LockWeight weight_of_wait(int64_t time_ns, int64_t interval, uint64_t seed) {
  if (time_ns >= interval) return {time_ns, 1};
  // The finalizer of splitmix64: each bit of the seed moves half of the result's.
  seed = (seed ^ seed >> 30) * 0xbf58476d1ce4e5b9;
  seed = (seed ^ seed >> 27) * 0x94d049bb133111eb;
  seed ^= seed >> 31;
  if (seed % static_cast<uint64_t>(interval) >= static_cast<uint64_t>(time_ns)) return {};
  return {interval, static_cast<double>(interval) / static_cast<double>(time_ns)};
}

}  // namespace hearth::events
