// Measures the cost of the store every ten seconds and holds it to the budget. Reads no clock itself. Not thread safe.
#pragma once

#include <cstdint>

#include "always_on/overhead_budget.h"

namespace hearth::always_on {

class CostMeter {
 public:
  static constexpr uint64_t kPeriodNs = 10'000'000'000;

  // Totals, of which the meter takes the differences.
  struct Clocks {
    uint64_t time_ns = 0;     // CLOCK_MONOTONIC
    int64_t sampling_ns = 0;  // CPU time of the store's own sessions, ended ones included
    int64_t rest_ns = 0;      // CPU time of the store's threads
    int64_t process_ns = 0;   // CPU time of the process
  };

  // `share`: as OverheadBudget has it.
  explicit CostMeter(double share) : budget_(share) {}

  bool is_due(uint64_t now_ns) const { return now_ns >= last_.time_ns + kPeriodNs; }
  // Returns whether the rates are to change. The first call only begins: the start's cost does not count.
  bool measure(const Clocks& now);

  const OverheadBudget& budget() const { return budget_; }

 private:
  OverheadBudget budget_;
  Clocks last_;
};

}  // namespace hearth::always_on
