// State for callbacks and native methods, which the JVM calls and in which it may suspend the thread. A suspended
// thread keeps its state; later sessions publish theirs in a new object. Any thread.
#pragma once

#include <atomic>
#include <functional>

#include "events/event_source.h"
#include "events/handlers/cached_slot.h"
#include "events/handlers/published.h"

namespace hearth::events {

struct CallbackSampling {
  uint64_t number = 0;  // unique in this process
  uint16_t event = 0;
  int64_t interval = 0;
  capture::Recorder* recorder = nullptr;
  std::function<void()> drain;
  SlotsByThread slots_by_thread;

  void take(const EventPlan& plan) {
    event = plan.event;
    interval = plan.interval;
    recorder = plan.recorder;
    drain = plan.drain;
  }
};

template <typename Sampling>
class PublishedToCallbacks {
 public:
  // `published`: as of Published.
  explicit PublishedToCallbacks(uint64_t published = 0) : current_(new Published<Sampling>(published)) {}

  Published<Sampling>* current() const { return current_.load(std::memory_order_acquire); }

  // publish() and unpublish() come one at a time.
  void publish(Sampling* sampling) { current()->publish(sampling); }

  // False: a callback still uses the published state.
  bool unpublish() {
    constexpr int kNaps = 2000;  // two seconds, longer than most collections
    Published<Sampling>* published = current();
    if (published->unpublish(kNaps)) return true;
    current_.store(new Published<Sampling>(published->published()), std::memory_order_release);
    return false;
  }

 private:
  std::atomic<Published<Sampling>*> current_;
};

}  // namespace hearth::events
