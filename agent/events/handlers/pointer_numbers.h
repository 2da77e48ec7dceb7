// Small numbers for few different pointers, which samples carry in their place. Signal safe and lock free.
#pragma once

#include <atomic>
#include <cstdint>

namespace hearth::events {

class PointerNumbers {
 public:
  static constexpr uint16_t kNone = 0;
  static constexpr uint16_t kMost = 127;  // numbers from 1

  // Returns kNone for null, and when there are too many.
  uint16_t number_of(uintptr_t pointer) {
    if (pointer == 0) return kNone;
    for (uint16_t number = 1; number <= kMost; number++) {
      std::atomic<uintptr_t>& place = pointers_[number - 1];
      uintptr_t there = place.load(std::memory_order_relaxed);
      if (there == 0 && place.compare_exchange_strong(there, pointer, std::memory_order_relaxed)) return number;
      if (there == pointer) return number;
    }
    return kNone;
  }
  // Returns 0 for kNone.
  uintptr_t of(uint16_t number) const {
    return number == kNone || number > kMost ? 0 : pointers_[number - 1].load(std::memory_order_relaxed);
  }

 private:
  std::atomic<uintptr_t> pointers_[kMost] = {};
};

}  // namespace hearth::events
