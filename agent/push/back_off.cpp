#include "push/back_off.h"

#include <algorithm>

namespace hearth::push {

int64_t BackOff::after_failure_ns(int64_t asked_ns) {
  std::uniform_int_distribution<int64_t> by_itself(most_ns_ / 2, most_ns_), asked(asked_ns, asked_ns + asked_ns / 8);
  most_ns_ = std::min(most_ns_ * 2, kMostNs);
  return std::max(by_itself(random_), asked(random_));
}

}  // namespace hearth::push
