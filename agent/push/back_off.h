// How long to wait after a failure: twice as long each time, and never the same as others, who may have failed with us.
#pragma once

#include <cstdint>
#include <random>

namespace hearth::push {

class BackOff {
 public:
  explicit BackOff(uint64_t seed) : random_(seed) {}

  int64_t after_failure_ns();
  // Where the server says how long: that, or up to an eighth more.
  int64_t after_asked_ns(int64_t asked_ns);
  void has_gone_well() { most_ns_ = 2 * kFirstNs; }

  static constexpr int64_t kFirstNs = 1'000'000'000;
  static constexpr int64_t kMostNs = 300 * kFirstNs;

 private:
  std::minstd_rand random_;
  int64_t most_ns_ = 2 * kFirstNs;  // of the next wait; at least half of it
};

}  // namespace hearth::push
