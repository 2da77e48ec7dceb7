// What a thread was doing when its wall clock was sampled. The numbers travel as capture::Sample::state.
#pragma once

#include <cstdint>

namespace hearth::events {

enum class ThreadState : uint16_t {
  kNone,      // not asked for
  kRunning,   // on a CPU
  kRunnable,  // waiting for a CPU
  kMonitor,   // to enter a Java monitor
  kWaiting,   // in Object.wait
  kFutex,     // blocked on a futex: only the stack tells whether it is a park, a sleep or a condition of native code
  kBarrier,   // blocked on a futex as HotSpot's threads are at a safepoint
  kSleeping,
  kSocket,
  kFile,
  kSyscall,  // another system call, or a page that is being brought in
};

constexpr bool is_blocked(ThreadState state) {
  return state >= ThreadState::kMonitor;
}

}  // namespace hearth::events
