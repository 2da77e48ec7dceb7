#include "always_on/window_clock.h"

#include <algorithm>

namespace hearth::always_on {

void WindowClock::begin(Time now) {
  began_ = now;
  int64_t rest = length_ns_ - now.unix_ns % length_ns_;
  if (rest < length_ns_ / 10) rest += length_ns_;
  ends_ns_ = now.ns + static_cast<uint64_t>(rest);
}

void WindowClock::prolong_to(uint64_t ns) {
  ends_ns_ = std::max(ends_ns_, ns);
}

bool WindowClock::is_worth_a_file(uint64_t now_ns) const {
  constexpr int64_t kSecond = 1'000'000'000;
  auto age_ns = static_cast<int64_t>(now_ns - began_.ns);
  return age_ns >= std::max(kSecond, std::min(10 * kSecond, length_ns_ / 6));
}

}  // namespace hearth::always_on
