#include "events/handlers/live_allocations.h"

namespace hearth::events {

LiveAllocations::LiveAllocations(size_t most)
    : most_(most),
      memory_(Mapping::reserved(most * (sizeof(std::atomic<uintptr_t>) + sizeof(Cell)))),
      keys_(memory_.as<std::atomic<uintptr_t>>()),
      cells_(reinterpret_cast<Cell*>(keys_ + most)) {}

// The two neighbouring buckets of an address.
size_t LiveAllocations::first_place(uintptr_t address) const {
  constexpr uint64_t kFactor = 0x9e3779b97f4a7c15;
  constexpr int kHalf = 32;
  uint64_t mixed = (address >> 4) * kFactor;
  return (mixed >> kHalf) & (most_ - kPlaces);
}

bool LiveAllocations::claim(size_t place, uintptr_t key) {
  return keys_[place].load(std::memory_order_relaxed) == key &&
         keys_[place].compare_exchange_strong(key, kBusy, std::memory_order_acq_rel, std::memory_order_relaxed);
}

void LiveAllocations::put(size_t place, uintptr_t address, const Allocation& allocation) {
  uint64_t words[kWords];
  std::memcpy(words, &allocation, sizeof words);
  Cell& cell = cells_[place];
  cell.version.fetch_add(1, std::memory_order_acq_rel);
  for (size_t i = 0; i < kWords; ++i) cell.words[i].store(words[i], std::memory_order_relaxed);
  keys_[place].store(address, std::memory_order_release);
}

void LiveAllocations::copy(size_t place, Allocation* allocation) const {
  uint64_t words[kWords];
  for (size_t i = 0; i < kWords; ++i) words[i] = cells_[place].words[i].load(std::memory_order_relaxed);
  std::memcpy(allocation, words, sizeof words);
}

uintptr_t LiveAllocations::read(size_t place, Allocation* allocation) const {
  uintptr_t key = keys_[place].load(std::memory_order_acquire);
  if (key == kFree || key == kBusy) return 0;
  uint64_t version = cells_[place].version.load(std::memory_order_relaxed);
  copy(place, allocation);
  std::atomic_thread_fence(std::memory_order_acquire);
  bool is_whole = keys_[place].load(std::memory_order_relaxed) == key &&
                  cells_[place].version.load(std::memory_order_relaxed) == version;
  return is_whole ? key : 0;
}

LiveAllocations::Added LiveAllocations::add(uintptr_t address, const Allocation& allocation) {
  size_t first = first_place(address);
  for (size_t place = first; place < first + kPlaces; ++place) {
    if (!claim(place, address)) continue;
    put(place, address, allocation);
    return Added::kReplaced;
  }
  for (size_t place = first; place < first + kPlaces; ++place) {
    if (!claim(place, kFree)) continue;
    put(place, address, allocation);
    return Added::kNew;
  }
  miss(allocation);
  return Added::kFull;
}

void LiveAllocations::miss(const Allocation& allocation) {
  missed_.fetch_add(1, std::memory_order_relaxed);
  missed_bytes_.fetch_add(allocation.bytes, std::memory_order_relaxed);
}

bool LiveAllocations::take(uintptr_t address, Allocation* allocation) {
  size_t first = first_place(address);
  for (size_t place = first; place < first + kPlaces; ++place) {
    if (!claim(place, address)) continue;
    copy(place, allocation);
    keys_[place].store(kFree, std::memory_order_release);
    return true;
  }
  return false;
}

void LiveAllocations::clear() {
  for (size_t place = 0; place < most_; ++place) keys_[place].store(kFree, std::memory_order_relaxed);
}

}  // namespace hearth::events
