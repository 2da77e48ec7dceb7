// The threads of a session: a slot for each, and the names they had. Mutating calls come from the session's side one at
// a time (ThreadFollower holds the lock); adopt() and seek() come from handlers of events.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/owned.h"
#include "capture/thread_slot.h"

namespace hearth::events {

class ThreadRegistry {
 public:
  static constexpr uint32_t kMaxThreads = 1 << 16;  // at one time; the memory of a slot is touched when it is used

  ThreadRegistry();

  // The slot that the thread adopted, when there is one; null when all slots are taken.
  capture::ThreadSlot* add(int tid);
  void remove(capture::ThreadSlot* slot);
  capture::ThreadSlot* find(int tid) const;

  // Signal safe. Adopted slots are not in live(), until add() takes them over.
  capture::ThreadSlot* adopt(int tid);
  // Frees the slots that this thread adopted and add() did not take over; its name stays with them.
  void retire(int tid);
  // The threads that have such slots.
  std::vector<int> adopted_tids() const;

  // The slot that this thread has, or null. Signal safe; goes through all slots, so remember what it found.
  capture::ThreadSlot* seek(int tid) const;

  // All that were added and not removed.
  std::vector<capture::ThreadSlot*> live() const;

  struct Thread {
    int tid = 0;
    std::string name;
  };
  // Threads by serial number, ended ones too. Serials are given in order, from 1.
  std::vector<Thread> threads() const;
  uint32_t begun() const { return next_serial_.load(std::memory_order_acquire) - 1; }  // ever
  // Names the thread that has this tid now; kept for a tid that no slot has yet.
  void set_name(int tid, std::string name);
  // How far each had come is of no more use: their allocations went unseen for a while. While no handler asks for it.
  void forget_allocations();
  // Undoes the last add(), whose thread could not be followed.
  void take_back(capture::ThreadSlot* slot);
  capture::ThreadSlot* slots() const { return memory_.as<capture::ThreadSlot>(); }  // kMaxThreads of them
  bool ok() const { return static_cast<bool>(memory_); }                            // false: there was no memory

  // Of what was reserved, to be measured.
  template <typename Visit>
  void visit_memory(const Visit& visit) const {
    visit(memory_);
    visit(stack_memory_);
  }

 private:
  // What this many threads had on their stacks is remembered; more are walked to the root at every sample.
  static constexpr uint32_t kMaxRemembered = 1 << 13;

  capture::ThreadSlot* take_slot(int tid, bool is_adopted);
  capture::ThreadSlot* fresh_slot();
  capture::ThreadSlot* pop_free();
  void push_free(capture::ThreadSlot* slot);
  template <typename Visit>
  void visit_adopted(Visit visit) const;
  Thread& known(const capture::ThreadSlot& slot);
  std::string name_of(int tid) const;

  Mapping memory_;
  Mapping stack_memory_;
  std::atomic<uint32_t> used_{0};     // slots ever taken
  std::atomic<uint32_t> adopted_{0};  // of them, adopted and not taken over
  // The last slot that became free, the one before by its next_free: index + 1, 0 for none. In the upper half how often
  // that changed, so that who was interrupted does not take an old one for the last.
  std::atomic<uint64_t> free_{0};
  std::unordered_map<int, capture::ThreadSlot*> by_tid_;
  std::vector<Thread> threads_;                 // by serial; those only adopted are still missing
  std::unordered_map<int, std::string> names_;  // of tids without a slot of add(): adopted threads take them from here
  std::atomic<uint32_t> next_serial_{1};
};

// seek() and adopt() as SlotsByThread::find; `registry` is a ThreadRegistry.
capture::ThreadSlot* seek_slot(void* registry, int tid);
capture::ThreadSlot* adopt_slot(void* registry, int tid);
// seek(), and where that finds none adopt().
capture::ThreadSlot* seek_or_adopt_slot(void* registry, int tid);

}  // namespace hearth::events
