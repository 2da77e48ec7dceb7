#include "events/lock/park_table.h"

#include <new>

namespace hearth::events {
namespace {

constexpr uintptr_t kBusy = 1;  // no JavaThread* is

enum State : uint32_t {
  kFree,     // nobody parks there
  kParked,   // nobody has woken it
  kClaimed,  // a waker weighs it
  kWeighed,  // the waker's stack is still to come
  kWoken,
  kAbandoned  // the thread went on while a waker was writing, which frees the place
};

}  // namespace

struct ParkTable::Place {
  std::atomic<uint32_t> state;
  uint64_t began_ns;           // written while the key is kBusy
  WokenWait wait;              // in kClaimed
  capture::OuterThread waker;  // in kWeighed
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
  if (java_thread <= kBusy) return nullptr;
  size_t first = first_of(java_thread);
  for (size_t i = first; i < first + kWays; i++) {
    uintptr_t none = 0;
    if (key(i)->load(std::memory_order_relaxed) != 0 || !key(i)->compare_exchange_strong(none, kBusy)) continue;
    Place* place = places_.as<Place>() + i;
    place->began_ns = began_ns;
    place->state.store(kParked, std::memory_order_release);
    key(i)->store(java_thread, std::memory_order_release);
    return place;
  }
  refused_.fetch_add(1, std::memory_order_relaxed);
  return nullptr;
}

void ParkTable::free(Place* place) {
  place->state.store(kFree, std::memory_order_relaxed);
  key(static_cast<size_t>(place - places_.as<Place>()))->store(0, std::memory_order_release);
}

bool ParkTable::leave(Place* place, WokenWait* wait, capture::OuterThread* waker) {
  for (;;) {
    uint32_t state = place->state.load(std::memory_order_acquire);
    if (state == kWoken) {
      *wait = place->wait;
      *waker = place->waker;
      free(place);
      return true;
    }
    // The waker no longer writes there, and the place is its own behind this exchange.
    if (state == kWeighed) *wait = place->wait;
    if (!place->state.compare_exchange_strong(state, state == kParked ? kFree : kAbandoned)) continue;
    if (state == kParked) free(place);
    return state == kWeighed;
  }
}

bool ParkTable::has(uintptr_t java_thread) const {
  size_t first = first_of(java_thread);
  for (size_t i = first; i < first + kWays; i++)
    if (key(i)->load(std::memory_order_acquire) == java_thread &&
        places_.as<Place>()[i].state.load(std::memory_order_relaxed) == kParked)
      return true;
  return false;
}

ParkTable::Place* ParkTable::claim(uintptr_t java_thread) {
  if (java_thread <= kBusy) return nullptr;
  size_t first = first_of(java_thread);
  for (size_t i = first; i < first + kWays; i++) {
    if (key(i)->load(std::memory_order_acquire) != java_thread) continue;
    Place* place = places_.as<Place>() + i;
    // A thread has a second place if it has abandoned one.
    uint32_t state = kParked;
    if (!place->state.compare_exchange_strong(state, kClaimed)) continue;
    // Another thread may have come here since its key was read. From now on the place stays with this one.
    if (key(i)->load(std::memory_order_acquire) == java_thread) return place;
    give_back(place, kParked);
  }
  return nullptr;
}

uint64_t ParkTable::began_ns(const Place* place) {
  return place->began_ns;
}

void ParkTable::weigh(Place* place, const WokenWait& wait) {
  place->wait = wait;
  place->waker = {};
  bool is_sampled = wait.weight.contentions > 0;
  uint32_t claimed = kClaimed;
  // An abandoned place that is to be told is freed then.
  if (!place->state.compare_exchange_strong(claimed, is_sampled ? kWeighed : kWoken) && !is_sampled) free(place);
}

void ParkTable::tell(Place* place, const capture::OuterThread& waker) {
  place->waker = waker;
  uint32_t weighed = kWeighed;
  if (!place->state.compare_exchange_strong(weighed, kWoken)) free(place);
}

// By the waker that has claimed it.
void ParkTable::give_back(Place* place, uint32_t state) {
  uint32_t claimed = kClaimed;
  if (!place->state.compare_exchange_strong(claimed, state)) free(place);
}

}  // namespace hearth::events
