// Weights of sampled waits for locks. Signal safe.
#pragma once

#include <cstdint>

namespace hearth::events {

struct LockWeight {
  int64_t delay_ns = 0;
  double contentions = 0;  // 0: the wait is skipped
};

// Samples a wait of `time_ns`, above 0, if it is longer than `threshold` of all times below the interval, and weights
// it by the inverse of that chance.
inline LockWeight weight_above(int64_t time_ns, int64_t interval, int64_t threshold) {
  if (time_ns >= interval) return {time_ns, 1};
  if (threshold >= time_ns) return {};
  return {interval, static_cast<double>(interval) / static_cast<double>(time_ns)};
}

// Samples a wait of `time_ns`, above 0, with probability time / interval, at most 1, and weights it by the inverse:
// both sums are right on average for any interval, and long waits are exact. Interval 0 samples every wait. `seed`: a
// value that differs between waits, as the time of their end.
inline LockWeight weight_of_wait(int64_t time_ns, int64_t interval, uint64_t seed) {
  if (time_ns >= interval) return {time_ns, 1};
  // The finalizer of SplitMix64: each bit of the seed changes half of the result's bits.
  seed = (seed ^ seed >> 30) * 0xbf58476d1ce4e5b9;
  seed = (seed ^ seed >> 27) * 0x94d049bb133111eb;
  seed ^= seed >> 31;
  return weight_above(time_ns, interval, static_cast<int64_t>(seed % static_cast<uint64_t>(interval)));
}

}  // namespace hearth::events
