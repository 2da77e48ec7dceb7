#include "always_on/overhead_budget.h"

#include <algorithm>

namespace hearth::always_on {

// Half the interval costs at most twice as much, so the rate rises only when the cost is below a third. Where sampling
// is a small part of the cost, as with short windows, longer intervals would not reduce it.
bool OverheadBudget::measure(const Used& used) {
  int64_t whole = std::max(used.elapsed_ns, used.process_ns);
  if (whole <= 0) return false;
  cost_ = static_cast<double>(used.sampling_ns + used.rest_ns) / static_cast<double>(whole);
  double sampling = static_cast<double>(used.sampling_ns) / static_cast<double>(whole);
  int64_t before = slowdown_;
  if (cost_ > share_ && sampling > share_ / 4)
    slowdown_ = std::min(slowdown_ * 2, kSlowest);
  else if (cost_ < share_ / 3 || sampling < share_ / 8)
    slowdown_ = std::max<int64_t>(slowdown_ / 2, 1);
  return slowdown_ != before;
}

}  // namespace hearth::always_on
