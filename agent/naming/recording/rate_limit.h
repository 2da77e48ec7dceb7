// Bounds how many of something are taken in a second. What one second leaves is there in the next one: bursts have up
// to twice the limit. Not thread safe.
#pragma once

#include <algorithm>
#include <cstdint>

namespace hearth::naming {

class RateLimit {
 public:
  // `per_second`: 0: no limit.
  explicit RateLimit(int64_t per_second = 0) : per_second_(static_cast<double>(per_second)), left_(per_second_) {}

  // False: it is too many. Times do not decrease; an earlier one counts as the last.
  bool take(int64_t time_ns) {
    constexpr double kSecond = 1e9;
    if (per_second_ == 0) return true;
    if (last_ns_ != 0 && time_ns > last_ns_)
      left_ = std::min(2 * per_second_, left_ + per_second_ * static_cast<double>(time_ns - last_ns_) / kSecond);
    last_ns_ = std::max(last_ns_, time_ns);
    if (left_ < 1) return false;
    left_ -= 1;
    return true;
  }

 private:
  double per_second_;
  double left_;
  int64_t last_ns_ = 0;
};

}  // namespace hearth::naming
