// How long to wait after a failure: twice as long each time, no less than the server asks for, and never the same as
// others, who may have failed with us.
#pragma once

#include <cstdint>
#include <random>

namespace hearth::push {

class BackOff {
 public:
  static constexpr int64_t kFirstNs = 1'000'000'000;
  static constexpr int64_t kMostNs = 300 * kFirstNs;

  // `first_ns`: after a first failure, at least.
  explicit BackOff(uint64_t seed, int64_t first_ns = kFirstNs)
      : random_(seed), first_ns_(first_ns), most_ns_(2 * first_ns) {}

  // `asked_ns`: how long the server wants us to wait, 0 where it says nothing; up to an eighth more.
  int64_t after_failure_ns(int64_t asked_ns = 0);
  void has_gone_well() { most_ns_ = 2 * first_ns_; }

 private:
  std::minstd_rand random_;
  const int64_t first_ns_;
  int64_t most_ns_;  // of the next wait; at least half of it
};

}  // namespace hearth::push
