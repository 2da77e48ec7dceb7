// Who holds the locks that threads wait for: each wait is counted at the stack of the thread that holds the lock, with
// the stack that waits further in. A holder that waits for a lock itself stands above its own holder in the same way.
// The wall clock reports waits, and asks holders for their stacks. One call at a time; begin() and end() at any time.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

#include "capture/thread_slot.h"
#include "capture/unwind/java/vm_layout.h"
#include "events/event_source.h"
#include "events/wall/watched_thread.h"

namespace hearth::events {

class LockHolders {
 public:
  // The wall clock's threads, by slot.
  struct Threads {
    std::vector<WatchedThread>* watched;
    capture::ThreadSlot* slots;
    // True if the thread's last answer is where it is now. Else asks it, unless it is asked already.
    std::function<bool(uint32_t slot)> ask;
  };
  struct Wait {
    uint32_t slot;      // that waits
    uint64_t until_ns;  // of the time that is counted
    int64_t time_ns;
    capture::LockWait lock;
    capture::Recorded recorded;
  };

  explicit LockHolders(const capture::VmLayout& vm) : vm_(vm) {}

  // The event's own source begins and ends it; the clock runs meanwhile.
  void begin(const EventPlan& plan);
  void end();

  // Before a thread is asked: looks what it waits for, and asks the holder at the same time.
  void look(const Threads& threads, uint32_t slot);
  // After its answer, which `wait` has: counts the time of that wait, now or with the holder's answer.
  void waited(const Threads& threads, const Wait& wait);
  // The same for a thread that is blocked as before.
  void still_waits(const Threads& threads, Wait wait);
  // Counts waits with answers of their holders.
  void take_answers(const Threads& threads, uint64_t now_ns);
  // Counts waits without an answer.
  void finish();

 private:
  static constexpr uint32_t kNobody = UINT32_MAX;

  struct Member {
    uint32_t slot;
    uint32_t serial;
    uintptr_t lock_class;             // that it waits for; 0 of the last one, or unknown
    capture::Recorded recorded = {};  // then; StackTree::kFull: its answer is still to come
  };
  // Threads that wait for one another at one moment: each for a lock of the next. The last one holds and does not wait,
  // unless `end` says why there is none.
  struct Chain {
    std::vector<Member> members;
    capture::Marker end = capture::Marker::kCount;
    capture::LockWait lock = {};  // of the first
  };
  struct Pending {
    Wait wait;
    Chain chain;
  };

  Chain chain_of(const Threads& threads, uint32_t slot, const capture::LockWait& first);
  void ask_all(const Threads& threads, Chain* chain);
  bool is_deadlock(const Threads& threads, const Chain& chain, uint32_t slot) const;
  uint32_t owner_of(const Threads& threads, const capture::LockWait& lock, uint32_t waits);
  bool is_owner_there(const Threads& threads, uint32_t slot, const capture::LockWait& lock) const;
  uint32_t search_owner(const Threads& threads, const capture::LockWait& lock);
  void add(const Threads& threads, Pending pending);
  // Keeps the answers of members, which a later one replaces in the slot. True: all are there, or will never be.
  bool is_answered(const Threads& threads, Chain* chain) const;
  void count(const Pending& pending);
  void count_without_holder(Pending* pending);
  uint32_t joined(uint32_t outer, uintptr_t lock_class, uint32_t inner);

  const capture::VmLayout& vm_;
  std::mutex mutex_;  // of plan_
  EventPlan plan_;
  std::atomic<bool> is_on_{false};
  std::vector<Chain> seen_;  // by look(), by slot
  std::vector<Pending> pending_;
  std::vector<uint32_t> last_owner_;  // by the slot that waits
  std::set<std::pair<uintptr_t, uintptr_t>>
      failed_;  // owner and object of searches without a result, since the last tick
  // Stacks that were joined: outer and inner one, class between them.
  std::map<std::pair<uint64_t, uintptr_t>, uint32_t> joined_;
  std::vector<capture::Frame> space_;  // of joined()
};

}  // namespace hearth::events
