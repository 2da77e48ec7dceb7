// How much chance there is in the values of a profile of sampled allocations, or of sampled waits for locks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "profile/model/profile.h"

namespace hearth::profile {

// Of a sample of objects: about how large each of them is, in bytes. Samples of objects of other sizes stand apart.
inline constexpr std::string_view kSizeLabel = "bytes";
// Of a sample of waits: about how long each of them took, in ns.
inline constexpr std::string_view kWaitLabel = "wait";

// An object of s bytes was met with the chance p = 1 - exp(-s / interval), 1 where each was met, and stands for 1 / p
// of its like. Where of those that stand for less bytes than a threshold some were kept, p is s / threshold for these.
// So objects that were met for n have a variance of n (1 - p) / p, and s^2 as much for bytes. A wait is met with the
// chance of its time / threshold, and its time is to it what bytes are to an object.
class SamplingVariance {
 public:
  // Of one value type. Known of sampled bytes; of the number of objects only where samples tell their size: few small
  // objects among large ones say more of it than the mean of both does.
  static std::optional<SamplingVariance> of(const Profile& profile, size_t value);

  // Of one sample with such values.
  double variance(const int64_t* values) const;

 private:
  size_t objects_ = 0;
  size_t bytes_ = 0;
  bool is_of_bytes_ = false;
  double interval_ = 0;  // 0: each was met
  double threshold_ = 0;
};

}  // namespace hearth::profile
