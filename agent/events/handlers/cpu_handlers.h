// The signal handlers of the CPU engines: read the weight, hand the register state to capture. Signal safe; built as a
// library of its own so that the same test that guards capture guards them.
#pragma once

#include <signal.h>

#include <atomic>
#include <cstdint>

#include "capture/recorder.h"
#include "capture/signal_safe.h"
#include "capture/thread_slot.h"
#include "events/handlers/known_slot.h"

namespace hearth::events {

// What the handlers of one running session work on. Several may run, with intervals of their own.
struct CpuSampling {
  static constexpr uint32_t kMaxFd = 1 << 20;

  uint64_t number = 0;  // among those of its signal, never the same again
  capture::Recorder* recorder = nullptr;
  int64_t interval_ns = 0;
  std::atomic<capture::ThreadSlot*>* slot_of_fd = nullptr;  // kMaxFd places; perf events only
  capture::ThreadSlot* slots = nullptr;  // all of the registry's, kMaxSlots places; thread timers only
  static constexpr uint32_t kMaxSlots = 1 << 16;
  std::atomic<int64_t> process_cpu_ns{0};  // process timer only: the clock at the last sample
  SlotsByThread slots_by_thread;           // process timer only
  bool some_threads = false;               // so is this
};

// Numbers `sampling` and publishes it to the handlers of that signal: each session has a signal to itself. Null stops
// them, and returns only when no handler works on the one before any more.
void publish(int signal, CpuSampling* sampling);

extern const capture::SignalHandler kPerfEventHandler;
// si_value: the session's number (its low half) above the slot's index. A thread may have taken a signal of the session
// before out of the kernel, and come to run its handler only now: what it brings must not be believed.
extern const capture::SignalHandler kThreadTimerHandler;
extern const capture::SignalHandler kProcessTimerHandler;

}  // namespace hearth::events
