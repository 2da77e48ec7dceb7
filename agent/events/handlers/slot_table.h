// The slots of a session's threads, without locks. Signal safe, except for the constructor and the destructor.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/owned.h"
#include "capture/thread_slot.h"

namespace hearth::events {

class SlotTable {
 public:
  static constexpr uint32_t kMaxThreads = 1 << 16;  // at one time; the memory of a slot is touched when it is used

  SlotTable();

  // The slot that this thread has, or null. Goes through all slots, so remember what it found.
  capture::ThreadSlot* seek(int tid) const;
  // A free slot, now this thread's; null when all are taken.
  capture::ThreadSlot* take(int tid) { return take(tid, false); }
  // The same, inside a handler: the session does not know of it yet.
  capture::ThreadSlot* adopt(int tid) { return take(tid, true); }
  void free(capture::ThreadSlot* slot);
  // Takes the serial number back when no thread got a later one.
  bool take_back_serial(uint32_t serial);

  capture::ThreadSlot* slots() const { return memory_.as<capture::ThreadSlot>(); }  // kMaxThreads of them
  // Of the adopted slots, those that the session does not know of yet.
  uint32_t adopted() const { return adopted_.load(std::memory_order_relaxed); }
  void count_adopted(int change) { adopted_.fetch_add(static_cast<uint32_t>(change), std::memory_order_relaxed); }
  uint32_t used() const;                                                                 // slots ever taken
  uint32_t next_serial() const { return next_serial_.load(std::memory_order_acquire); }  // from 1
  bool ok() const { return static_cast<bool>(memory_); }                                 // false: there was no memory

  // Of what was reserved, to be measured.
  template <typename Visit>
  void visit_memory(const Visit& visit) const {
    visit(memory_);
    visit(stack_memory_);
  }

 private:
  // The stacks of this many threads are remembered; those of more are walked to the root at every sample.
  static constexpr uint32_t kMaxRemembered = 1 << 13;

  capture::ThreadSlot* take(int tid, bool is_adopted);
  capture::ThreadSlot* fresh_slot();
  capture::ThreadSlot* pop_free();

  Mapping memory_;
  Mapping stack_memory_;
  std::atomic<uint32_t> used_{0};
  std::atomic<uint32_t> adopted_{0};
  // Lower 32 bits: the slot that became free last, as index + 1, 0 for none; its next_free is the one before. Upper 32
  // bits: ABA counter.
  std::atomic<uint64_t> free_{0};
  std::atomic<uint32_t> next_serial_{1};
};

}  // namespace hearth::events
