// The threads that are parked, and who woke each of them: the thread that parks enters itself and takes itself out, and
// the one that wakes it leaves its stack there. Lock free; any thread, outside signals. A place has one owner at a
// time: the parked thread, and after it a waker that was still writing.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/owned.h"
#include "capture/recorder.h"
#include "events/lock/lock_weight.h"

namespace hearth::events {

// A wait that another thread ends.
struct WokenWait {
  uint64_t session = 0;  // of the waker
  LockWeight weight;     // none: the wait is not sampled
  int64_t time_ns = 0;   // up to the wake
};

class ParkTable {
 public:
  // `buckets`: a power of two; each has places for kWays threads.
  explicit ParkTable(size_t buckets = 1 << 13);

  struct Place;

  // Enters a thread that is about to park, by its JavaThread*. Null: there is no place, and nobody sees it.
  Place* enter(uintptr_t java_thread, uint64_t began_ns);
  // Takes it out. True: it was woken, and `wait` says how. The waker is empty if that had not told yet.
  bool leave(Place* place, WokenWait* wait, capture::OuterThread* waker);

  // Whether the thread is parked, and nobody has woken it. Reads only.
  bool has(uintptr_t java_thread) const;
  // For a thread that is about to wake `java_thread`: if that is parked, and nobody has woken it yet, weigh() must
  // follow, and after it, if the wait is sampled, tell(). Null: it is not, or others are waking it.
  Place* claim(uintptr_t java_thread);
  static uint64_t began_ns(const Place* place);  // of enter()
  void weigh(Place* place, const WokenWait& wait);
  void tell(Place* place, const capture::OuterThread& waker);

  // How many threads found no place.
  uint64_t refused() const { return refused_.load(std::memory_order_relaxed); }

 private:
  static constexpr size_t kWays = 8;

  // The thread's, kBusy or 0; buckets of keys are cache lines, which wakers search.
  using Key = std::atomic<uintptr_t>;
  Key* key(size_t place) const { return keys_.as<Key>() + place; }
  size_t first_of(uintptr_t java_thread) const;
  void give_back(Place* place, uint32_t state);
  void free(Place* place);

  size_t buckets_;
  Mapping keys_, places_;
  std::atomic<uint64_t> refused_{0};
};

}  // namespace hearth::events
