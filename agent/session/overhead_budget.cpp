#include "session/overhead_budget.h"

#include <algorithm>

namespace hearth::session {

// Back to a higher rate only where that leaves room: at half the interval it costs twice as much, at most.
bool OverheadBudget::measure(int64_t own_cpu_ns, int64_t elapsed_ns, int64_t process_cpu_ns) {
  int64_t whole = std::max(elapsed_ns, process_cpu_ns);
  if (whole <= 0) return false;
  cost_ = static_cast<double>(own_cpu_ns) / static_cast<double>(whole);
  int64_t before = slowdown_;
  if (cost_ > share_) slowdown_ = std::min(slowdown_ * 2, kSlowest);
  if (cost_ < share_ / 3) slowdown_ = std::max<int64_t>(slowdown_ / 2, 1);
  return slowdown_ != before;
}

}  // namespace hearth::session
