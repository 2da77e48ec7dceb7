// The slots of a session's threads, without locks. Signal safe, except for the constructor and the destructor.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/owned.h"
#include "capture/thread_slot.h"

namespace hearth::events {

class SlotTable {
 public:
  static constexpr uint32_t kMaxThreads = 1 << 16;  // at a time; a slot takes memory only when it is used

  SlotTable();

  // Returns the thread's slot, or null. Searches all slots, so cache the result.
  capture::ThreadSlot* seek(int tid) const;
  // Returns a free slot, now of this thread; null if all are taken.
  capture::ThreadSlot* take(int tid) { return take(tid, false); }
  // The same inside a handler: the session learns of the slot later.
  capture::ThreadSlot* adopt(int tid) { return take(tid, true); }
  void free(capture::ThreadSlot* slot);
  // Frees the serial number if no thread got a later one.
  bool take_back_serial(uint32_t serial);

  capture::ThreadSlot* slots() const { return memory_.as<capture::ThreadSlot>(); }  // kMaxThreads of them
  // Counts the adopted slots that the session does not know yet.
  uint32_t adopted() const { return adopted_.load(std::memory_order_relaxed); }
  void count_adopted(int change) { adopted_.fetch_add(static_cast<uint32_t>(change), std::memory_order_relaxed); }
  uint32_t used() const;                                                                 // slots ever taken
  uint32_t next_serial() const { return next_serial_.load(std::memory_order_acquire); }  // from 1
  bool ok() const { return static_cast<bool>(memory_); }                                 // false: there was no memory

  // Visits the reserved memory, for measurements.
  template <typename Visit>
  void visit_memory(const Visit& visit) const {
    visit(memory_);
    visit(stack_cache_memory_);
  }

 private:
  // Number of threads with a cache of their stack; walks of further threads always go to the root.
  static constexpr uint32_t kMaxStackCaches = 1 << 13;

  capture::ThreadSlot* take(int tid, bool is_adopted);
  capture::ThreadSlot* fresh_slot();
  capture::ThreadSlot* pop_free();

  Mapping memory_;
  Mapping stack_cache_memory_;
  std::atomic<uint32_t> used_{0};
  std::atomic<uint32_t> adopted_{0};
  // Lower 32 bits: the slot that became free last, as index + 1, 0 for none; its next_free is the one before. Upper 32
  // bits: ABA counter.
  std::atomic<uint64_t> free_{0};
  std::atomic<uint32_t> next_serial_{1};
};

}  // namespace hearth::events
