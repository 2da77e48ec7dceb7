// What one sampled allocation stands for.
#pragma once

#include <cmath>
#include <cstdint>

namespace hearth::events {

struct AllocationWeight {
  double bytes;
  double objects;
};

// The JVM draws the bytes to the next sample from the exponential distribution of mean `interval`, so an object of
// `size` bytes has a chance of 1 - exp(-size / interval) to be met. Interval 0 meets every one.
inline AllocationWeight weight_of_allocation(int64_t size, int64_t interval) {
  auto bytes = static_cast<double>(size);
  if (interval == 0) return {bytes, 1};
  double chance = -std::expm1(-bytes / static_cast<double>(interval));
  return {bytes / chance, 1 / chance};
}

}  // namespace hearth::events
