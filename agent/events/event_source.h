// What every source of samples is to the session: can it run here, start, follow threads, stop. Not signal safe; called
// under the session's lock but for follow() and unfollow(), which come one at a time from ThreadFollower.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "capture/recorder.h"
#include "capture/thread_slot.h"
#include "events/thread_registry.h"

namespace hearth::events {

struct EventPlan {
  int64_t interval_ns = 0;
  capture::Recorder* recorder = nullptr;
  ThreadRegistry* registry = nullptr;
};

class EventSource {
 public:
  virtual ~EventSource() = default;
  virtual std::string engine() const = 0;  // as every output names it
  virtual bool follows_threads() const = 0;

  // Throws Error with the reason and the remedy when it cannot run here; then nothing is changed.
  virtual void start(const EventPlan& plan) = 0;

  // Opens the event of one thread. False: the thread is gone, or there is no room (then trouble() says so).
  virtual bool follow(capture::ThreadSlot* slot) = 0;
  // Closes it: called by the thread itself, or when it has ended, or after silence(). Returns the CPU nanoseconds of
  // the thread since follow(), by its own clock.
  virtual int64_t unfollow(capture::ThreadSlot* slot) = 0;
  // The same clock while the thread is followed.
  virtual int64_t cpu_ns(const capture::ThreadSlot& slot) const = 0;

  // After it no handler runs and none will; threads may be unfollowed only then, or by themselves.
  virtual void silence() = 0;
  // Gives back what start() took. All threads must be unfollowed.
  virtual void stop() = 0;

  // What went wrong since start() without ending it; one line, or "".
  virtual std::string trouble() const { return ""; }
};

std::unique_ptr<EventSource> make_cpu_perf_event();
std::unique_ptr<EventSource> make_cpu_thread_timer();
std::unique_ptr<EventSource> make_cpu_process_timer();

}  // namespace hearth::events
