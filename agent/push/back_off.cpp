#include "push/back_off.h"

#include <algorithm>

namespace hearth::push {

int64_t BackOff::after_failure_ns() {
  std::uniform_int_distribution<int64_t> between(most_ns_ / 2, most_ns_);
  most_ns_ = std::min(most_ns_ * 2, kMostNs);
  return between(random_);
}

}  // namespace hearth::push
