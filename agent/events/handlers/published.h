// Publishes the state that handlers of one kind of event use, and waits until none uses it any more. Signal safe,
// except publish() and unpublish().
#pragma once

#include <sched.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <thread>

namespace hearth::events {

// `Sampling` has a uint64_t `number`.
template <typename Sampling>
class Published {
 public:
  // `published`: number of samplings that were numbered before.
  constexpr explicit Published(uint64_t published = 0) : published_(published) {}

  // Numbers `sampling` and shows it to the handlers; null stops them. Returns when no handler uses the previous one any
  // more, at once if there was none: handlers without one touch no state, and there may always be some. Calls come one
  // at a time.
  void publish(Sampling* sampling) {
    if (sampling != nullptr) sampling->number = ++published_;
    if (sampling_.exchange(sampling, std::memory_order_seq_cst) == nullptr) return;
    while (inside_.load(std::memory_order_seq_cst) != 0) sched_yield();
  }

  // publish(nullptr) for handlers that may be suspended: sleeps at most `max_sleeps` times a millisecond. Counts sleeps
  // instead of time, as handlers make no progress while the whole process is frozen. False: a handler still runs; then
  // nothing may be published here any more, and this object must stay.
  bool unpublish(int max_sleeps) {
    if (sampling_.exchange(nullptr, std::memory_order_seq_cst) == nullptr) return true;
    while (inside_.load(std::memory_order_seq_cst) != 0) {
      if (max_sleeps-- == 0) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return true;
  }
  uint64_t published() const { return published_; }

  // True if handlers still are to use `sampling`.
  bool publishes(const Sampling* sampling) const { return sampling_.load(std::memory_order_relaxed) == sampling; }

  // Scope of a handler: keeps errno, and keeps publish() from returning while the handler runs.
  class Entry {
   public:
    explicit Entry(Published* published) : errno_(errno), published_(published) {
      published_->inside_.fetch_add(1, std::memory_order_seq_cst);
      sampling_ = published_->sampling_.load(std::memory_order_seq_cst);
    }
    Entry(const Entry&) = delete;
    Entry& operator=(const Entry&) = delete;
    ~Entry() {
      published_->inside_.fetch_sub(1, std::memory_order_release);
      errno = errno_;
    }
    Sampling* sampling() const { return sampling_; }

   private:
    int errno_;
    Published* published_;
    Sampling* sampling_;
  };

 private:
  std::atomic<Sampling*> sampling_{nullptr};
  std::atomic<int> inside_{0};
  uint64_t published_ = 0;
};

}  // namespace hearth::events
