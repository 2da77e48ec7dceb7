// Holds what always-on profiling costs to a share of the CPU: measures it, and says how much slower than asked for it
// has to sample. Knows no clock and no JVM. Not thread safe.
#pragma once

#include <cstdint>

namespace hearth::always_on {

class OverheadBudget {
 public:
  // `share`: of one CPU, or of what the process uses where that is more.
  explicit OverheadBudget(double share) : share_(share) {}

  // Of a while: CPU time of sampling and of all else that the store does, how long it was, and CPU time of the process.
  // Returns whether the rates are to be changed.
  struct Used {
    int64_t sampling_ns, rest_ns, elapsed_ns, process_ns;
  };
  bool measure(const Used& used);

  // By how much longer intervals have to be than was asked for: 1, 2, 4 … 64.
  int64_t slowdown() const { return slowdown_; }
  double cost() const { return cost_; }  // as a share, of what was measured last
  double share() const { return share_; }

 private:
  static constexpr int64_t kSlowest = 64;

  const double share_;
  int64_t slowdown_ = 1;
  double cost_ = 0;
};

}  // namespace hearth::always_on
