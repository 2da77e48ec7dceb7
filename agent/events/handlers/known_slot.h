// The calling thread's slot, for sources that are not told it: it is sought once, and remembered by the thread. Signal
// safe.
#pragma once

#include <atomic>
#include <cstdint>

#include "capture/thread_slot.h"
#include "events/handlers/current_tid.h"

namespace hearth::events {

struct SlotsByThread {
  // Null when there is no room, or the thread is not wanted.
  capture::ThreadSlot* (*find)(void* registry, int tid) = nullptr;
  void* registry = nullptr;
  std::atomic<uint32_t> wanted{0};  // counts up with each thread that is
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
  if (!is_known) *known = {session, slots.find(slots.registry, tid), wanted};
  return known->slot;
}

}  // namespace hearth::events
