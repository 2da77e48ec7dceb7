// Holds the cost of always-on profiling to a share of the CPU, by a factor for all intervals. Reads no clock. Not
// thread safe.
#pragma once

#include <cstdint>

namespace hearth::always_on {

class OverheadBudget {
 public:
  // `share`: of one CPU, or of the process's CPU time where that is more.
  explicit OverheadBudget(double share) : share_(share) {}

  // Over one period: CPU time of sampling, of the rest of the store's work, the period's length, CPU time of the
  // process. Returns whether the rates are to be changed.
  struct Used {
    int64_t sampling_ns, rest_ns, elapsed_ns, process_ns;
  };
  bool measure(const Used& used);

  // Factor of the intervals: 1, 2, 4 … 64.
  int64_t slowdown() const { return slowdown_; }
  double cost() const { return cost_; }  // of the last measurement, as a share
  double share() const { return share_; }

 private:
  static constexpr int64_t kSlowest = 64;

  const double share_;
  int64_t slowdown_ = 1;
  double cost_ = 0;
};

}  // namespace hearth::always_on
