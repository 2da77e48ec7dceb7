#include "events/lock/park_table.h"

#include <new>

namespace hearth::events {
namespace {

constexpr uintptr_t kBusy = 1;  // no JavaThread* is

enum State : uint32_t {
  kFree,        // nobody parks there
  kParked,      // nobody has woken it
  kBeingWoken,  // a waker writes
  kWoken,
  kAbandoned  // the thread went on while a waker was writing, which frees the place
};

}  // namespace

struct ParkTable::Place {
  std::atomic<uint32_t> state;
  uint64_t began_ns;  // written while the key is kBusy
  Wake wake;
};

ParkTable::ParkTable(size_t buckets)
    : buckets_(buckets),
      keys_(Mapping::reserved(buckets * kWays * sizeof(Key))),
      places_(Mapping::reserved(buckets * kWays * sizeof(Place))) {
  if (!keys_ || !places_) throw std::bad_alloc();
}

size_t ParkTable::first_of(uintptr_t java_thread) const {
  constexpr uint64_t kSpread = 0x9e3779b97f4a7c15;  // 2^64 by the golden ratio
  constexpr unsigned kHalf = 32;
  return (uint64_t{java_thread} * kSpread >> kHalf & (buckets_ - 1)) * kWays;
}

ParkTable::Place* ParkTable::enter(uintptr_t java_thread, uint64_t began_ns) {
  size_t first = first_of(java_thread);
  for (size_t i = first; i < first + kWays; i++) {
    Key& key = keys_.as<Key>()[i];
    uintptr_t none = 0;
    if (key.load(std::memory_order_relaxed) != 0 || !key.compare_exchange_strong(none, kBusy)) continue;
    Place* place = places_.as<Place>() + i;
    place->began_ns = began_ns;
    place->state.store(kParked, std::memory_order_release);
    key.store(java_thread, std::memory_order_release);
    return place;
  }
  refused_.fetch_add(1, std::memory_order_relaxed);
  return nullptr;
}

void ParkTable::free(Place* place) {
  place->state.store(kFree, std::memory_order_relaxed);
  keys_.as<Key>()[place - places_.as<Place>()].store(0, std::memory_order_release);
}

bool ParkTable::leave(Place* place, Wake* wake) {
  for (;;) {
    uint32_t state = place->state.load(std::memory_order_acquire);
    if (state == kWoken) {
      *wake = place->wake;
      free(place);
      return true;
    }
    if (!place->state.compare_exchange_strong(state, state == kParked ? kFree : kAbandoned)) continue;
    if (state == kParked) free(place);
    return false;
  }
}

ParkTable::Place* ParkTable::claim(uintptr_t java_thread) {
  size_t first = first_of(java_thread);
  for (size_t i = first; i < first + kWays; i++) {
    Key& key = keys_.as<Key>()[i];
    if (key.load(std::memory_order_acquire) != java_thread) continue;
    Place* place = places_.as<Place>() + i;
    uint32_t state = kParked;
    if (!place->state.compare_exchange_strong(state, kBeingWoken)) return nullptr;
    // Another thread may have come here since its key was read. From now on the place stays with this one.
    if (key.load(std::memory_order_acquire) == java_thread) return place;
    give_back(place, kParked);
    return nullptr;
  }
  return nullptr;
}

uint64_t ParkTable::began_ns(const Place* place) {
  return place->began_ns;
}

void ParkTable::tell(Place* place, const Wake& wake) {
  place->wake = wake;
  give_back(place, kWoken);
}

// By the waker that has it.
void ParkTable::give_back(Place* place, uint32_t state) {
  uint32_t writing = kBeingWoken;
  if (!place->state.compare_exchange_strong(writing, state)) free(place);
}

}  // namespace hearth::events
