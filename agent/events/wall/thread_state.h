// State of a thread when the wall clock sampled it. Its numbers are the values of capture::Sample::state.
#pragma once

#include <cstdint>

namespace hearth::events {

enum class ThreadState : uint16_t {
  kNone,       // not requested
  kRunning,    // on a CPU
  kStolen,     // on a CPU of a virtual machine that its host had given to others
  kRunnable,   // waiting for a CPU
  kThrottled,  // the same, of a cgroup that had used the CPU time that it may use
  kMonitor,    // to enter a Java monitor
  kWaiting,    // in Object.wait
  kFutex,      // blocked on a futex: only the stack distinguishes a park, a sleep or a condition of native code
  kBarrier,    // blocked on a futex like HotSpot's threads at a safepoint
  kSleeping,
  kSocket,
  kFile,
  kSyscall,  // another system call, or a page fault; less than kOperation
};

// States of samples of CPU time where the CPU is recorded: its number is added. Less than SampleCounts::kStates.
inline constexpr uint16_t kOnCpu = 0x2000;

// In samples of threads at a safepoint the number of the VM thread's operation is added, this many times.
inline constexpr uint16_t kOperation = 16;

// Of a sample's state: none where the state is a CPU.
constexpr ThreadState state_of(uint16_t state) {
  return state < kOnCpu ? static_cast<ThreadState>(state % kOperation) : ThreadState::kNone;
}

// The number of the operation; 0: none.
constexpr uint16_t operation_of(uint16_t state) {
  return state < kOnCpu ? state / kOperation : 0;
}

constexpr bool is_blocked(ThreadState state) {
  return state >= ThreadState::kMonitor;
}

}  // namespace hearth::events
