#include "capture/store/time_histogram.h"

namespace hearth::capture {

// Returns the position of the highest bit combined with the kSubBits bits below it; small values are their own bucket.
uint64_t TimeHistogram::bucket_of(uint64_t ns) {
  if (ns < kSubBuckets) return ns;
  auto power = static_cast<uint64_t>(63 - __builtin_clzll(ns));
  uint64_t sub = (ns >> (power - kSubBits)) % kSubBuckets;
  return (power - kSubBits + 1) * kSubBuckets + sub;
}

uint64_t TimeHistogram::least_of(uint64_t bucket) {
  if (bucket < kSubBuckets) return bucket;
  uint64_t shift = bucket / kSubBuckets - 1;
  return (kSubBuckets + bucket % kSubBuckets) << shift;
}

void TimeHistogram::add(uint64_t ns) {
  buckets_[bucket_of(ns)].fetch_add(1, std::memory_order_relaxed);
}

uint64_t TimeHistogram::count() const {
  uint64_t count = 0;
  for (const auto& bucket : buckets_) count += bucket.load(std::memory_order_relaxed);
  return count;
}

uint64_t TimeHistogram::quantile(double share) const {
  double wanted = share * static_cast<double>(count());
  uint64_t passed = 0;
  uint64_t last = 0;
  for (uint64_t bucket = 0; bucket < kBuckets; bucket++) {
    uint64_t inside = buckets_[bucket].load(std::memory_order_relaxed);
    if (inside == 0) continue;
    passed += inside;
    // The middle of the bucket: the exact time is unknown.
    last = least_of(bucket) + (bucket < kSubBuckets ? 0 : uint64_t{1} << (bucket / kSubBuckets - 1)) / 2;
    if (static_cast<double>(passed) >= wanted) break;
  }
  return last;
}

}  // namespace hearth::capture
