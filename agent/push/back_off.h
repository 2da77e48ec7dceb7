// The wait after a failure: twice as long each time, no less than the server asks for, and different from that of other
// clients, which may have failed at the same time.
#pragma once

#include <cstdint>
#include <random>

namespace hearth::push {

class BackOff {
 public:
  static constexpr int64_t kFirstNs = 1'000'000'000;
  static constexpr int64_t kMostNs = 300 * kFirstNs;

  // `first_ns`: least wait after the first failure.
  explicit BackOff(uint64_t seed, int64_t first_ns = kFirstNs)
      : random_(seed), first_ns_(first_ns), most_ns_(2 * first_ns) {}

  // `asked_ns`: the wait that the server asks for, 0: none; the result is up to an eighth longer.
  int64_t after_failure_ns(int64_t asked_ns = 0);
  void has_gone_well() { most_ns_ = 2 * first_ns_; }

 private:
  std::minstd_rand random_;
  const int64_t first_ns_;
  int64_t most_ns_;  // limit of the next wait, which is at least half as long
};

}  // namespace hearth::push
