// The handler of perf events that count something else than time. All counters of a process share one signal, as there
// are more of them than free signals; a thread's counters that overflow at once are sampled by one signal. Signal safe.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "base/owned.h"
#include "capture/recorder.h"
#include "capture/signal_safe.h"
#include "capture/thread_slot.h"

namespace hearth::events {

struct CounterThread;

// The counters of one thread, of all sessions.
struct CounterGroup {
  static constexpr uint32_t kMost = 64;

  int tid = 0;
  std::atomic<CounterThread*> members[kMost] = {};
};

// One counter of a session.
struct CounterSampling {
  capture::Recorder* recorder = nullptr;
  uint16_t event = 0;  // its number in the session
  int64_t interval = 0;
  bool records_cpu = false;           // as the sample's state, kOnCpu and the number
  std::atomic<bool> is_muted{false};  // takes no samples any more
};

// A counter of one thread, which alone writes it, in its signals.
struct CounterThread {
  const CounterSampling* sampling = nullptr;
  capture::ThreadSlot* slot = nullptr;
  UniqueFd fd;
  Mapping kernel_ring;  // empty: no kernel frames
  int64_t last_count = 0;
  int64_t period = 0;  // that the kernel has; the first one is a random part of the interval
  std::shared_ptr<CounterGroup> group;
};

// What the handler sees.
struct CounterRoom {
  uint64_t number = 0;
  std::atomic<CounterThread*>* thread_of_fd = nullptr;  // kMaxPerfFds entries
};

// Shows the room to the handler; null hides it. Returns when no handler uses the previous one any more. Outside
// signals, one call at a time.
void publish_counters(CounterRoom* room);

extern const capture::SignalHandler kPerfCounterHandler;

}  // namespace hearth::events
