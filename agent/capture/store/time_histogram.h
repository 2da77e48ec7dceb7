// How long something took, counted by length: eight buckets to each power of two of nanoseconds, so that a quantile is
// right within 6 %. add() is signal safe and lock free; the rest may be called at any time by anybody.
#pragma once

#include <atomic>
#include <cstdint>

namespace hearth::capture {

class TimeHistogram {
 public:
  void add(uint64_t ns);

  uint64_t count() const;
  // The time in ns that `share` (above 0, up to 1) of all took at most; 0 when there are none.
  uint64_t quantile(double share) const;

 private:
  static constexpr int kSubBits = 3;
  static constexpr uint64_t kSubBuckets = 1 << kSubBits;
  static constexpr uint64_t kBuckets = (64 - kSubBits + 1) * kSubBuckets;

  static uint64_t bucket_of(uint64_t ns);
  static uint64_t least_of(uint64_t bucket);

  std::atomic<uint64_t> buckets_[kBuckets] = {};
};

}  // namespace hearth::capture
