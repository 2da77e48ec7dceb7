#include "events/alloc/allocation_weight.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "capture/faults/safe_load.h"
#include "events/alloc/exponential.h"

namespace hearth::events {
namespace {

// Returns the bytes of the TLAB that the sampler did not count before it looked at an object outside of the TLAB.
int64_t bytes_passed_over(const capture::AllocationMark& last, const capture::AllocationMark& now, int64_t size) {
  auto in_tlab = static_cast<int64_t>(now.top - now.tlab);
  int64_t since_last = now.bytes - last.bytes - size;
  if (now.tlab != last.tlab) return std::clamp<int64_t>(since_last, 0, in_tlab);
  auto in_same_tlab = static_cast<int64_t>(now.top - last.top);
  int64_t outside = std::max<int64_t>(since_last - in_same_tlab, 0);
  double last_part = static_cast<double>(size) / static_cast<double>(size + outside);
  return std::llround(static_cast<double>(in_same_tlab) * last_part);
}

}  // namespace

AllocationWeight weight_of_allocation(int64_t size, int64_t interval, int64_t passed_over) {
  auto bytes = static_cast<double>(size);
  if (interval == 0) return {bytes, 1};
  // Limits the weight: whatever was passed over, one object must not outweigh all others.
  constexpr int64_t kLeastPart = 4;
  auto met = static_cast<double>(std::max(size - passed_over, size / kLeastPart));
  double chance = chance_of_point(met, interval);
  return {bytes / chance, 1 / chance};
}

// A running thread may retire its TLAB between any two loads; then the loaded values do not belong together.
int64_t allocated_bytes(const capture::AllocationLayout& layout, uintptr_t java_thread) {
  if (!layout.known || java_thread == 0) return 0;
  constexpr int kTries = 8;
  int64_t counted = 0;
  for (int left = kTries; left > 0; left--) {
    counted = static_cast<int64_t>(capture::load(java_thread + layout.allocated_bytes));
    uintptr_t start = capture::load(java_thread + layout.tlab_start);
    uintptr_t top = capture::load(java_thread + layout.tlab_top);
    bool is_same = start == capture::load(java_thread + layout.tlab_start) &&
                   counted == static_cast<int64_t>(capture::load(java_thread + layout.allocated_bytes));
    if (is_same && start == 0) return counted;
    if (is_same && top >= start) return counted + static_cast<int64_t>(top - start);
  }
  return counted;
}

AllocationWeight weigh_sampled_object(const capture::AllocationLayout& layout, uintptr_t java_thread, uintptr_t address,
                                      int64_t size, int64_t interval, capture::AllocationMark* last) {
  if (interval == 0 || !layout.known || !layout.loses_count || java_thread == 0)
    return weight_of_allocation(size, interval);
  capture::AllocationMark now;
  now.tlab = capture::load(java_thread + layout.tlab_start);
  now.top = capture::load(java_thread + layout.tlab_top);
  // The calling thread retires no TLAB meanwhile: no retry is needed as in allocated_bytes().
  auto in_tlab = static_cast<int64_t>(now.top - now.tlab);
  now.bytes = static_cast<int64_t>(capture::load(java_thread + layout.allocated_bytes)) + in_tlab;
  capture::AllocationMark before = std::exchange(*last, now);
  constexpr int64_t kSure = 8;  // intervals: such an object is sampled wherever it is
  if (now.tlab != 0 && address == now.tlab && size < kSure * interval) {
    AllocationWeight mistake;
    mistake.counts = false;
    return mistake;
  }
  bool is_outside = address < now.tlab || address >= now.top;
  return weight_of_allocation(size, interval, is_outside ? bytes_passed_over(before, now, size) : 0);
}

}  // namespace hearth::events
