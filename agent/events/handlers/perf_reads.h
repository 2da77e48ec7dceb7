// What handlers read of a perf event. Signal safe.
#pragma once

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>

#include "capture/frame.h"
#include "capture/kernel_ring.h"
#include "events/handlers/current_tid.h"
#include "events/wall/thread_state.h"

namespace hearth::events {

// Returns the count of a perf event; 0 if it cannot be read. No cancellation point (pthreads(7)) unlike read(3): a
// thread must not end inside the handler.
inline uint64_t perf_count(int fd) {
  uint64_t count = 0;
  return syscall(SYS_read, fd, &count, sizeof count) == sizeof count ? count : 0;
}

// Descriptors that handlers find their thread by.
inline constexpr uint32_t kMaxPerfFds = 1 << 20;

// The thread whose event sent the signal, in a table of kMaxPerfFds entries. Null: it is none of this thread. Kernel
// signals only (si_code above 0): any process may send the number with any fd.
template <typename Thread>
Thread* signalled_thread(const std::atomic<Thread*>* thread_of_fd, const siginfo_t* info) {
  int fd = info->si_fd;
  if (thread_of_fd == nullptr || info->si_code <= 0 || fd < 0 || static_cast<uint32_t>(fd) >= kMaxPerfFds)
    return nullptr;
  Thread* thread = thread_of_fd[fd].load(std::memory_order_acquire);
  return thread != nullptr && thread->slot->tid == current_tid() ? thread : nullptr;
}

struct KernelFrames {
  explicit KernelFrames(void* ring) {
    if (ring != nullptr) count = capture::read_kernel_ring(ring, frames, capture::kMaxKernelFrames);
  }
  capture::Frame frames[capture::kMaxKernelFrames];
  uint32_t count = 0;
};

// The state of a sample: the CPU, where it is recorded. The handler runs on the CPU of the interrupted instruction but
// where the thread was moved in between.
inline uint16_t cpu_state(bool records_cpu) {
  unsigned cpu = 0;
  if (!records_cpu || syscall(SYS_getcpu, &cpu, nullptr, nullptr) != 0) return 0;
  return static_cast<uint16_t>(kOnCpu | (cpu & (kOnCpu - 1)));
}

}  // namespace hearth::events
