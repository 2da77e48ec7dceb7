// What sources work on that the JVM calls, in callbacks and native methods, where it may suspend the thread: a
// suspended one keeps what it works on, and what comes after is published elsewhere. Any thread.
#pragma once

#include <atomic>
#include <functional>

#include "events/event_source.h"
#include "events/handlers/known_slot.h"
#include "events/handlers/published.h"

namespace hearth::events {

struct CalledSampling {
  uint64_t number = 0;  // of the session in this process, never the same again
  uint16_t event = 0;
  int64_t interval = 0;
  capture::Recorder* recorder = nullptr;
  std::function<void()> make_room;
  SlotsByThread slots_by_thread;

  void take(const EventPlan& plan) {
    event = plan.event;
    interval = plan.interval;
    recorder = plan.recorder;
    make_room = plan.make_room;
  }
};

template <typename Sampling>
class PublishedToCallbacks {
 public:
  Published<Sampling>* current() const { return current_.load(std::memory_order_acquire); }

  // One at a time, with withdraw().
  void publish(Sampling* sampling) { current()->publish(sampling); }

  // False: a callback still works on what was published.
  bool withdraw() {
    constexpr int kNaps = 2000;  // two seconds, longer than most collections
    Published<Sampling>* published = current();
    if (published->withdraw(kNaps)) return true;
    current_.store(new Published<Sampling>(published->published()), std::memory_order_release);
    return false;
  }

 private:
  std::atomic<Published<Sampling>*> current_{new Published<Sampling>};
};

}  // namespace hearth::events
