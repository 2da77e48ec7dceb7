// Sampling variance of the values of a profile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "profile/model/profile.h"

namespace hearth::profile {

// Label of a sample of objects: their approximate size in bytes. Objects of other sizes are separate samples.
inline constexpr std::string_view kSizeLabel = "bytes";
// Label of a sample of waits: their approximate duration in ns.
inline constexpr std::string_view kWaitLabel = "wait";
inline constexpr std::string_view kDurationLabel = "duration";

// An object of s bytes is sampled with probability p = 1 - exp(-s / interval), or 1 if all are recorded, and represents
// 1 / p objects. If samples below a threshold of weight were thinned, p is s / threshold for these. So n sampled
// objects have a variance of n (1 - p) / p, and s^2 times that in bytes. A wait is sampled with probability time /
// threshold; its time corresponds to the bytes of an object.
class SamplingVariance {
 public:
  // For one value type. Known for sampled bytes; for the number of objects only if samples have their size: a few small
  // objects among large ones contribute more variance than the mean of both.
  static std::optional<SamplingVariance> of(const Profile& profile, size_t value);

  // Variance of one sample with such values.
  double variance(const int64_t* values) const;

 private:
  size_t objects_ = 0;
  size_t bytes_ = 0;
  bool is_of_bytes_ = false;
  double interval_ = 0;  // 0: all were recorded
  double threshold_ = 0;
};

// For events that count their samples: n independent samples of a mean weight of m have a variance of n m^2. Samples at
// regular times vary less, so that bounds are rather too wide. Of exceptions, those that are all recorded vary not at
// all.
class CountedVariance {
 public:
  CountedVariance() = default;
  // Of a row's values at these places.
  CountedVariance(size_t count, size_t weight) : count_(count), weight_(weight) {}
  // Unknown for samples whose weights differ by much, as the number of threads that wait.
  static std::optional<CountedVariance> of(const Profile& profile, size_t value);

  // Variance of one row with such values.
  double variance(const int64_t* values) const;

 private:
  size_t count_ = 0;
  size_t weight_ = 0;
  double interval_ = 0;      // the least weight of a sample
  bool may_be_all_ = false;  // a sample of weight 1 represents itself alone
};

}  // namespace hearth::profile
