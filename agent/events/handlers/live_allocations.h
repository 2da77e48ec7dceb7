// Sampled allocations of native memory that have not been freed, by address. Any number of threads, without locks.
// Signal safe, except for the constructor and the destructor.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/owned.h"

namespace hearth::events {

class LiveAllocations {
 public:
  struct Allocation {
    uint64_t time_ns;  // CLOCK_MONOTONIC
    int64_t bytes;     // that it represents
    double objects;
    uint32_t thread;  // as in Sample
    uint32_t stack;
    uint16_t labels;
    uint16_t span;
    uint16_t state;
    uint16_t unused = 0;
  };

  // `most`: a power of two; an address may find no place before so many are there. Takes memory as it is used.
  explicit LiveAllocations(size_t most);
  bool ok() const { return static_cast<bool>(memory_); }  // false: there was no memory

  // kReplaced: the address was there, as nobody saw how it was freed. kFull: it is counted as missed.
  enum class Added { kNew, kReplaced, kFull };
  Added add(uintptr_t address, const Allocation& allocation);
  // Removes the address. False: it is not there.
  bool take(uintptr_t address, Allocation* allocation);
  void clear();

  // Calls visit(allocation) for each; those that others add or take meanwhile may be left out.
  template <typename Visit>
  void each(const Visit& visit) const {
    each_address([&](uintptr_t, const Allocation& found) { visit(found); });
  }
  // The same with visit(address, allocation).
  template <typename Visit>
  void each_address(const Visit& visit) const {
    Allocation found;
    for (size_t i = 0; i < most_; ++i)
      if (uintptr_t address = read(i, &found)) visit(address, found);
  }

  // Counts an allocation that is not followed.
  void miss(const Allocation& allocation);

  uint64_t missed() const { return missed_.load(std::memory_order_relaxed); }
  int64_t missed_bytes() const { return missed_bytes_.load(std::memory_order_relaxed); }

  template <typename Visit>
  void visit_memory(const Visit& visit) const {
    visit(memory_);
  }

 private:
  static constexpr size_t kBucket = 8;  // keys of a cache line
  static constexpr size_t kPlaces = 2 * kBucket;
  static constexpr size_t kWords = sizeof(Allocation) / sizeof(uint64_t);
  static_assert(sizeof(Allocation) % sizeof(uint64_t) == 0);
  static constexpr uintptr_t kFree = 0, kBusy = 1;  // keys that are no addresses

  struct Cell {
    std::atomic<uint64_t> version;
    std::atomic<uint64_t> words[kWords];
  };

  size_t first_place(uintptr_t address) const;
  bool claim(size_t place, uintptr_t key);
  void put(size_t place, uintptr_t address, const Allocation& allocation);
  uintptr_t read(size_t place, Allocation* allocation) const;  // returns its address; 0: there is none
  void copy(size_t place, Allocation* allocation) const;

  const size_t most_;
  Mapping memory_;
  std::atomic<uintptr_t>* keys_;
  Cell* cells_;
  std::atomic<uint64_t> missed_{0};
  std::atomic<int64_t> missed_bytes_{0};
};

}  // namespace hearth::events
