// Sample points that are apart by the exponential distribution: bytes between two points know nothing of what was
// allocated before. Signal safe.
#pragma once

#include <cmath>
#include <cstdint>

namespace hearth::events {

// SplitMix64 (Steele, Lea, Flood 2014).
__attribute__((always_inline)) inline uint64_t next_random(uint64_t* state) {
  uint64_t mixed = *state += 0x9e3779b97f4a7c15;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
  return mixed ^ (mixed >> 31);
}

// Draws the distance to the next point, at least 1; `interval`: the mean.
__attribute__((always_inline)) inline int64_t draw_distance(int64_t interval, uint64_t* random) {
  constexpr int kBits = 53;
  double uniform = static_cast<double>((next_random(random) >> (64 - kBits)) + 1) / static_cast<double>(1ULL << kBits);
  return 1 + static_cast<int64_t>(-std::log(uniform) * static_cast<double>(interval));
}

// The probability that `bytes` contain a point.
__attribute__((always_inline)) inline double chance_of_point(double bytes, int64_t interval) {
  return -std::expm1(-bytes / static_cast<double>(interval));
}

}  // namespace hearth::events
