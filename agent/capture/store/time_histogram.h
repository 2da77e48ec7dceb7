// Histogram of durations with eight buckets to each power of two of nanoseconds: quantiles are accurate within 6 %.
// add() is signal safe and lock free; the rest may be called by any thread at any time.
#pragma once

#include <atomic>
#include <cstdint>

namespace hearth::capture {

class TimeHistogram {
 public:
  void add(uint64_t ns);

  uint64_t count() const;
  // Returns the time in ns that `share` (above 0, up to 1) of all do not exceed; 0 if there are none.
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
