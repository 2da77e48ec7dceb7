#include "session/counting/allocation_totals.h"

namespace hearth::session {

void AllocationTotals::end() {
  account_.end(living_);
  collections_.stop();
}

std::map<std::string, uint64_t> AllocationTotals::by_thread() const {
  std::lock_guard<std::mutex> lock(by_thread_mutex_);
  return account_.by_thread(living_);
}

}  // namespace hearth::session
