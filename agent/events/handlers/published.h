// What the handlers of one kind of event work on, from the publication until nothing uses it any more. Signal safe but
// for publish().
#pragma once

#include <sched.h>

#include <atomic>
#include <cerrno>
#include <cstdint>

namespace hearth::events {

// `Sampling` has a uint64_t `number`.
template <typename Sampling>
class Published {
 public:
  // Numbers `sampling` and shows it to the handlers; null stops them. Returns only when no handler works on the one
  // before any more, at once when there was none: handlers without one touch nothing, and may never all be outside.
  // Calls come one at a time.
  void publish(Sampling* sampling) {
    if (sampling != nullptr) sampling->number = ++published_;
    if (sampling_.exchange(sampling, std::memory_order_seq_cst) == nullptr) return;
    while (inside_.load(std::memory_order_seq_cst) != 0) sched_yield();
  }

  // Whether this is still what handlers shall work on.
  bool publishes(const Sampling* sampling) const { return sampling_.load(std::memory_order_relaxed) == sampling; }

  // Inside a handler: keeps errno, and keeps publish() from returning while the handler works.
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
