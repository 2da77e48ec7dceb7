// The threads of a session: a slot for each, and the names they had. Mutating calls come from the session's side one at
// a time (ThreadFollower holds the lock); handlers of events seek and adopt slots in table().
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

  // The slot that the thread adopted, when there is one; null when all slots are taken.
  capture::ThreadSlot* add(int tid);
  void remove(capture::ThreadSlot* slot);
  capture::ThreadSlot* find(int tid) const;

  // For handlers. The slots that they adopt are not in live(), until add() takes them over.
  SlotTable* table() { return &table_; }
  // Frees the slots that this thread adopted and add() did not take over; its name stays with them.
  void retire(int tid);
  // The threads that have such slots.
  std::vector<int> adopted_tids() const;

  // All that were added and not removed.
  std::vector<capture::ThreadSlot*> live() const;

  struct Thread {
    int tid = 0;
    std::string name;
  };
  // Threads by serial number, ended ones too. Serials are given in order, from 1.
  std::vector<Thread> threads() const;
  uint32_t begun() const { return table_.next_serial() - 1; }  // ever
  // Names the thread that has this tid now; kept for a tid that no slot has yet.
  void set_name(int tid, std::string name);
  // How far each had come is of no more use: their allocations went unseen for a while. While no handler asks for it.
  void forget_allocations();
  // Undoes the last add(), whose thread could not be followed.
  void take_back(capture::ThreadSlot* slot);
  capture::ThreadSlot* slots() const { return table_.slots(); }  // kMaxThreads of them
  bool ok() const { return table_.ok(); }                        // false: there was no memory

  // Of what was reserved, to be measured.
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
  std::vector<Thread> threads_;                 // by serial; those only adopted are still missing
  std::unordered_map<int, std::string> names_;  // of tids without a slot of add(): adopted threads take them from here
};

}  // namespace hearth::events
