// The calling thread's slot, for sources that do not get it with the event: searched once and cached by the thread.
// Signal safe.
#pragma once

#include <atomic>
#include <cstdint>

#include "capture/thread_slot.h"
#include "events/handlers/current_tid.h"
#include "events/handlers/slot_table.h"

namespace hearth::events {

enum class SlotSearch { kSeek, kAdopt, kSeekOrAdopt };

struct SlotsByThread {
  SlotTable* table = nullptr;
  SlotSearch search = SlotSearch::kSeek;
  std::atomic<uint32_t> filter_epoch{0};  // incremented with each newly wanted thread: invalidates cached misses

  // Returns null if no slot is free, or the thread is not wanted.
  capture::ThreadSlot* find(int tid) const {
    capture::ThreadSlot* slot = search == SlotSearch::kAdopt ? nullptr : table->seek(tid);
    return slot != nullptr || search == SlotSearch::kSeek ? slot : table->adopt(tid);
  }
};

// Cache in a thread-local variable, one for each kind of source.
struct CachedSlot {
  uint64_t session;
  capture::ThreadSlot* slot;  // null: the thread was not wanted
  uint32_t filter_epoch;      // of SlotsByThread at the time of the search
};

// `session`: a unique number. A cached slot that another thread has got since has another tid.
inline capture::ThreadSlot* slot_of_this_thread(uint64_t session, const SlotsByThread& slots, CachedSlot* known) {
  if (is_own_thread()) return nullptr;
  int tid = current_tid();
  uint32_t filter_epoch = slots.filter_epoch.load(std::memory_order_acquire);
  bool is_known = known->session == session &&
                  (known->slot != nullptr ? known->slot->tid == tid : known->filter_epoch == filter_epoch);
  if (is_known) return known->slot;
  // A handler that interrupts this may come here as well: it must not meet the slot of another session.
  capture::ThreadSlot* slot = slots.find(tid);
  known->session = 0;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  known->slot = slot;
  known->filter_epoch = filter_epoch;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  known->session = session;
  return slot;
}

}  // namespace hearth::events
