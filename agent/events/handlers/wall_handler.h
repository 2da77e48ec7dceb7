// Signal handler of the wall clock: a thread reports its state and stack to the sampler. Signal safe.
#pragma once

#include <signal.h>

#include <atomic>
#include <cstdint>

#include "capture/recorder.h"
#include "capture/signal_safe.h"
#include "capture/thread_slot.h"
#include "events/handlers/pointer_numbers.h"
#include "events/handlers/slot_table.h"

namespace hearth::events {

// Access to the state of a Java thread; without it monitors and waits are recognized by their stacks only.
struct JavaThreadView {
  const capture::VmLayout* vm = nullptr;
  const capture::ThreadAccess* access = nullptr;
  int osthread = -1;        // offset in JavaThread
  int osthread_state = -1;  // offset in OSThread
  // Address of the VM thread's pointer to its operation, 0: not known; and the numbers of operations.
  uintptr_t operation = 0;
  PointerNumbers* operations = nullptr;
};

// State of one running session for its handler.
struct WallSampling {
  uint64_t number = 0;  // unique in this process
  uint16_t event = 0;
  capture::Recorder* recorder = nullptr;
  const SlotTable* table = nullptr;
  bool reads_locks = false;          // LockWait of a thread in a futex or at a monitor
  std::atomic<uint32_t> refused{0};  // signals that are no request of this session to their thread
  JavaThreadView java;
};

// As publish() of cpu_handlers.h.
void publish_wall(int signal, WallSampling* sampling);

// si_value: the session's number (lower half) above the slot's index.
extern const capture::SignalHandler kWallSignalHandler;

}  // namespace hearth::events
