// Signal handlers of perf events and of the other CPU engines: they read the weight and pass the registers to capture.
// Signal safe, in a library that the test of capture's symbols covers, too.
#pragma once

#include <signal.h>

#include <atomic>
#include <cstdint>

#include "base/owned.h"
#include "capture/recorder.h"
#include "capture/signal_safe.h"
#include "capture/thread_slot.h"
#include "events/handlers/cached_slot.h"

namespace hearth::events {

// One thread's perf event. The thread itself writes it, in its signals.
struct PerfThread {
  capture::ThreadSlot* slot = nullptr;
  UniqueFd fd;
  Mapping kernel_ring;          // empty: no kernel frames
  int64_t last_count = 0;       // the thread's CPU clock at the last sample
  int64_t began_ns = 0;         // CPU clock when the thread was followed
  bool in_first_period = true;  // whose length is random
};

// State of one running source for its handlers. Several may run, each with its own interval.
struct CpuSampling {
  uint64_t number = 0;  // unique among those of its signal
  capture::Recorder* recorder = nullptr;
  uint16_t event = 0;                                // its number in the session
  int64_t interval = 0;                              // ns
  std::atomic<PerfThread*>* thread_of_fd = nullptr;  // kMaxPerfFds entries; perf events only
  capture::ThreadSlot* slots = nullptr;              // the registry's kMaxSlots slots; thread timers only
  static constexpr uint32_t kMaxSlots = 1 << 16;
  std::atomic<int64_t> process_cpu_ns{0};  // process timer only: the clock at the last sample
  SlotsByThread slots_by_thread;           // process timer only
  bool some_threads = false;               // process timer only
  bool records_cpu = false;                // perf events only
};

// Numbers `sampling` and publishes it to the handlers of the signal, which one session uses. Null stops them; returns
// when no handler uses the previous one any more.
void publish(int signal, CpuSampling* sampling);

extern const capture::SignalHandler kPerfClockHandler;
// si_value: the session's number (lower half) above the slot's index. It is checked, because a thread may run its
// handler long after it took a signal of an earlier session out of the kernel.
extern const capture::SignalHandler kThreadTimerHandler;
extern const capture::SignalHandler kProcessTimerHandler;

}  // namespace hearth::events
