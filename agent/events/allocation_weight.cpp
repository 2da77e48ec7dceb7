#include "events/allocation_weight.h"

#include <algorithm>
#include <cmath>

#include "capture/safe_load.h"

namespace hearth::events {

AllocationWeight weight_of_allocation(int64_t size, int64_t interval, int64_t passed_over) {
  auto bytes = static_cast<double>(size);
  if (interval == 0) return {bytes, 1};
  // Whatever was passed over, one object must not outweigh all others.
  constexpr int64_t kLeastPart = 4;
  auto met = static_cast<double>(std::max(size - passed_over, size / kLeastPart));
  double chance = -std::expm1(-met / static_cast<double>(interval));
  return {bytes / chance, 1 / chance};
}

int64_t allocated_bytes(const capture::AllocationLayout& layout, uintptr_t java_thread) {
  uintptr_t start = capture::load(java_thread + layout.tlab_start);
  uintptr_t top = capture::load(java_thread + layout.tlab_top);
  auto in_tlab = static_cast<int64_t>(start == 0 ? 0 : top - start);
  return static_cast<int64_t>(capture::load(java_thread + layout.allocated_bytes)) + in_tlab;
}

AllocationWeight weigh_sampled_object(const capture::AllocationLayout& layout, uintptr_t java_thread, uintptr_t address,
                                      int64_t size, int64_t interval, int64_t* last_bytes) {
  if (interval == 0 || !layout.known || !layout.loses_count || java_thread == 0)
    return weight_of_allocation(size, interval);
  int64_t bytes = allocated_bytes(layout, java_thread);
  int64_t since_last = bytes - *last_bytes - size;
  *last_bytes = bytes;
  uintptr_t start = capture::load(java_thread + layout.tlab_start);
  uintptr_t top = capture::load(java_thread + layout.tlab_top);
  if (start != 0 && address == start) {
    AllocationWeight mistake;
    mistake.counts = false;
    return mistake;
  }
  bool is_outside = address < start || address >= top;
  auto in_tlab = static_cast<int64_t>(top - start);
  return weight_of_allocation(size, interval, is_outside ? std::clamp<int64_t>(since_last, 0, in_tlab) : 0);
}

}  // namespace hearth::events
