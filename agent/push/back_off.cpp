#include "push/back_off.h"

#include <algorithm>

namespace hearth::push {

int64_t BackOff::after_failure_ns() {
  std::uniform_int_distribution<int64_t> between(most_ns_ / 2, most_ns_);
  most_ns_ = std::min(most_ns_ * 2, kMostNs);
  return between(random_);
}

int64_t BackOff::after_asked_ns(int64_t asked_ns) {
  return std::uniform_int_distribution<int64_t>(asked_ns, asked_ns + asked_ns / 8)(random_);
}

}  // namespace hearth::push
