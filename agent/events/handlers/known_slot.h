// The calling thread's slot, for sources that are not told it: it is sought once, and remembered by the thread. Signal
// safe.
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
  std::atomic<uint32_t> wanted{0};  // counts up with each thread that is

  // Null when there is no room, or the thread is not wanted.
  capture::ThreadSlot* find(int tid) const {
    capture::ThreadSlot* slot = search == SlotSearch::kAdopt ? nullptr : table->seek(tid);
    return slot != nullptr || search == SlotSearch::kSeek ? slot : table->adopt(tid);
  }
};

// A thread-local variable of each kind of source.
struct KnownSlot {
  uint64_t session;
  capture::ThreadSlot* slot;  // null: it was not among those wanted
  uint32_t wanted;            // SlotsByThread's, when that was found
};

// `session`: never the same again. A slot that was given away since has another tid.
inline capture::ThreadSlot* slot_of_this_thread(uint64_t session, const SlotsByThread& slots, KnownSlot* known) {
  if (is_own_thread()) return nullptr;
  int tid = current_tid();
  uint32_t wanted = slots.wanted.load(std::memory_order_acquire);
  bool is_known =
      known->session == session && (known->slot != nullptr ? known->slot->tid == tid : known->wanted == wanted);
  if (!is_known) *known = {session, slots.find(tid), wanted};
  return known->slot;
}

}  // namespace hearth::events
