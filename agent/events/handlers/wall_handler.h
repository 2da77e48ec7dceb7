// The signal handler of the wall clock: a thread answers the sampler's question where it is. Signal safe.
#pragma once

#include <signal.h>

#include <atomic>
#include <cstdint>

#include "capture/recorder.h"
#include "capture/signal_safe.h"
#include "capture/thread_slot.h"
#include "events/handlers/slot_table.h"

namespace hearth::events {

// How to see the state of a Java thread; without it monitors and waits are told by their stacks only.
struct JavaThreadView {
  const capture::VmLayout* vm = nullptr;
  const capture::ThreadAccess* access = nullptr;
  int osthread = -1;        // offset in JavaThread
  int osthread_state = -1;  // offset in OSThread
};

// What the handler of one running session works on.
struct WallSampling {
  uint64_t number = 0;  // of the session in this process, never the same again
  uint16_t event = 0;
  capture::Recorder* recorder = nullptr;
  const SlotTable* table = nullptr;
  std::atomic<uint32_t> refused{0};  // signals that are no question of this session to the thread that got them
  JavaThreadView java;
};

// As for the CPU engines (cpu_handlers.h).
void publish_wall(int signal, WallSampling* sampling);

// si_value: the session's number (its low half) above the slot's index.
extern const capture::SignalHandler kWallSignalHandler;

}  // namespace hearth::events
