// The threads of a session: a slot for each, and the names they had. Mutating calls come from the session's side one at
// a time (ThreadFollower holds the lock); adopt() comes from signal handlers.
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

  capture::ThreadSlot* add(int tid);  // null when all slots are taken
  void remove(capture::ThreadSlot* slot);
  capture::ThreadSlot* find(int tid) const;

  // Signal safe. Adopted slots are not in live() and live as long as the registry.
  capture::ThreadSlot* adopt(int tid);

  // The slot that add() gave this thread, or null. Signal safe; goes through all slots, so remember what it found.
  capture::ThreadSlot* seek(int tid) const;

  // All that were added and not removed.
  std::vector<capture::ThreadSlot*> live() const;

  struct Thread {
    int tid = 0;
    std::string name;
  };
  // Threads by serial number, ended ones too. Serials are given in order, from 1.
  std::vector<Thread> threads() const;
  // Names the thread that has this tid now; kept for a tid that no slot has yet.
  void set_name(int tid, std::string name);
  // Undoes the last add(), whose thread could not be followed.
  void take_back(capture::ThreadSlot* slot);
  capture::ThreadSlot* slots() const { return memory_.as<capture::ThreadSlot>(); }  // kMaxThreads of them
  bool ok() const { return static_cast<bool>(memory_); }                            // false: there was no memory

 private:
  // What this many threads had on their stacks is remembered; more are walked to the root at every sample.
  static constexpr uint32_t kMaxRemembered = 1 << 13;

  capture::ThreadSlot* fresh_slot(int tid);

  Mapping memory_;
  Mapping stack_memory_;
  std::atomic<uint32_t> used_{0};  // slots ever taken
  std::vector<capture::ThreadSlot*> free_;
  std::unordered_map<int, capture::ThreadSlot*> by_tid_;
  std::vector<Thread> threads_;                 // by serial; adopted ones are still missing
  std::unordered_map<int, std::string> names_;  // of tids without a slot of add(): adopted threads take them from here
  std::atomic<uint32_t> next_serial_{1};
};

// seek() and adopt() as SlotsByThread::find; `registry` is a ThreadRegistry.
capture::ThreadSlot* seek_slot(void* registry, int tid);
capture::ThreadSlot* adopt_slot(void* registry, int tid);
// seek(), and where that finds none adopt().
capture::ThreadSlot* seek_or_adopt_slot(void* registry, int tid);

}  // namespace hearth::events
