// Threads of a session: a slot for each, and their names. The session calls mutating functions one at a time
// (ThreadFollower holds the lock); handlers of events search and adopt slots in table().
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "capture/thread_slot.h"
#include "events/handlers/slot_table.h"

namespace hearth::events {

class ThreadRegistry {
 public:
  static constexpr uint32_t kMaxThreads = SlotTable::kMaxThreads;

  // Returns the slot that the thread adopted, or a new one; null if all slots are taken.
  capture::ThreadSlot* add(int tid);
  void remove(capture::ThreadSlot* slot);
  capture::ThreadSlot* find(int tid) const;

  // For handlers. Slots that they adopt are not in live() until add() takes them over.
  SlotTable* table() { return &table_; }
  // Frees the slots that this thread adopted and add() did not take over; the thread's name stays with them.
  void retire(int tid);
  // Returns the threads that have such slots.
  std::vector<int> adopted_tids() const;

  // Returns all slots that were added and not removed.
  std::vector<capture::ThreadSlot*> live() const;

  struct Thread {
    int tid = 0;
    std::string name;
  };
  // Returns threads by serial number, ended ones included. Serials are assigned in order, from 1.
  std::vector<Thread> threads() const;
  uint32_t begun() const { return table_.next_serial() - 1; }  // total
  // Names the thread that has this tid now; kept for a tid that no slot has yet.
  void set_name(int tid, std::string name);
  // Forgets the threads' allocation marks, which are stale when allocations were not sampled for a while. Call it while
  // no handler uses them.
  void forget_allocations();
  // Undoes the last add(), if the thread could not be followed.
  void take_back(capture::ThreadSlot* slot);
  capture::ThreadSlot* slots() const { return table_.slots(); }  // kMaxThreads of them
  bool ok() const { return table_.ok(); }                        // false: there was no memory

  // Visits the reserved memory, for measurements.
  template <typename Visit>
  void visit_memory(const Visit& visit) const {
    table_.visit_memory(visit);
  }

 private:
  template <typename Visit>
  void visit_adopted(Visit visit) const;
  Thread& known(const capture::ThreadSlot& slot);
  std::string name_of(int tid) const;

  SlotTable table_;
  std::unordered_map<int, capture::ThreadSlot*> by_tid_;
  std::vector<Thread> threads_;                 // by serial; without threads that are only adopted
  std::unordered_map<int, std::string> names_;  // of tids without a slot of add(): adopted threads get their names here
};

}  // namespace hearth::events
