// Who holds the locks that threads wait for: each wait is counted at the stack of the thread that holds the lock, with the
// stack that waits further in. A holder that waits for a lock itself stands above its own holder in the same way. The
// wall clock reports waits, and asks holders for their stacks. One call at a time, but for begin() and end().
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
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
    // True if the stack of the thread's last answer is that of now; else the thread is asked.
    std::function<bool(uint32_t slot)> is_fresh;
  };
  struct Wait {
    uint32_t slot;     // that waits
    uint64_t until_ns; // of the time that is counted
    int64_t time_ns;
  };

  explicit LockHolders(const capture::VmLayout& vm) : vm_(vm) {}

  // The event's own source begins and ends it; the clock runs meanwhile.
  void begin(const EventPlan& plan);
  void end() { is_on_ = false; }
  bool is_on() const { return is_on_; }

  // Counts a wait for `lock`, now or with the answer of its holder.
  void waited(const Threads& threads, const Wait& wait, const capture::LockWait& lock);
  // Looks for answers.
  void take_answers(const Threads& threads);
  // Counts waits without an answer.
  void finish();
  // What a blocked thread waits for now.
  capture::LockWait lock_of(const WatchedThread& watched) const;

 private:
  static constexpr uint32_t kNobody = UINT32_MAX;

  // Threads that wait for one another: each for a lock of the next, the last for one of `holder`.
  struct Chain {
    struct Link {
      uint32_t slot;
      uint32_t stack;
      uintptr_t lock_class;
    };
    Wait wait;
    std::vector<Link> links;
    uint32_t holder = kNobody;
    uint32_t serial = 0;  // of the holder
  };

  // True: it is counted; false: the holder is asked.
  bool follow(const Threads& threads, Chain* chain, capture::LockWait lock);
  uint32_t owner_of(const Threads& threads, const capture::LockWait& lock, uint32_t waits) const;
  bool is_owner_there(const Threads& threads, uint32_t slot, const capture::LockWait& lock) const;
  void count(const Chain& chain, uint32_t outer, const capture::ThreadSlot* holder) const;
  void count_without_holder(const Chain& chain, capture::Marker why) const;

  const capture::VmLayout& vm_;
  EventPlan plan_;
  std::atomic<bool> is_on_{false};
  std::vector<Chain> asked_;
  mutable std::vector<uint32_t> last_owner_;  // by the slot that waits
};

}  // namespace hearth::events
