// Sampled mappings, by address: a part of one may be unmapped. Any number of threads, without locks. Signal safe.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace hearth::events {

class MappedRanges {
 public:
  struct Range {
    uintptr_t begin, end;
  };

  // False: there is no space.
  bool add(Range range) {
    for (size_t i = 0; i < kMost; ++i) {
      uintptr_t expected = kFree;
      if (slots_[i].begin.load(std::memory_order_relaxed) != kFree ||
          !slots_[i].begin.compare_exchange_strong(expected, kBusy, std::memory_order_acquire))
        continue;
      slots_[i].end.store(range.end, std::memory_order_relaxed);
      slots_[i].begin.store(range.begin, std::memory_order_release);
      size_t used = used_.load(std::memory_order_relaxed);
      while (used <= i && !used_.compare_exchange_weak(used, i + 1, std::memory_order_relaxed)) {
      }
      return true;
    }
    return false;
  }

  // Removes the ranges that have a byte of `part`, and calls visit(range) for each.
  template <typename Visit>
  void take_overlapping(Range part, const Visit& visit) {
    size_t used = used_.load(std::memory_order_relaxed);
    for (size_t i = 0; i < used; ++i) {
      uintptr_t begin = slots_[i].begin.load(std::memory_order_acquire);
      if (begin <= kBusy || begin >= part.end) continue;
      Range range = {begin, slots_[i].end.load(std::memory_order_relaxed)};
      if (range.end <= part.begin) continue;
      if (!slots_[i].begin.compare_exchange_strong(begin, kFree, std::memory_order_acq_rel)) continue;
      visit(range);
      // Mappings do not overlap: one that has the whole part is the only one.
      if (range.begin <= part.begin && range.end >= part.end) return;
    }
  }

  bool is_empty() const { return used_.load(std::memory_order_relaxed) == 0; }

  void clear() {
    size_t used = used_.exchange(0, std::memory_order_relaxed);
    for (size_t i = 0; i < used; ++i) slots_[i].begin.store(kFree, std::memory_order_relaxed);
  }

 private:
  static constexpr size_t kMost = 1 << 14;
  static constexpr uintptr_t kFree = 0, kBusy = 1;  // no addresses of mappings

  struct Slot {
    std::atomic<uintptr_t> begin;
    std::atomic<uintptr_t> end;
  };

  Slot slots_[kMost];
  std::atomic<size_t> used_{0};  // the first ones, all that were used since clear()
};

}  // namespace hearth::events
