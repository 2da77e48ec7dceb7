#include "events/handlers/cpu_handlers.h"

#include <linux/perf_event.h>
#include <sys/ioctl.h>

#include <ctime>

#include "capture/kernel_ring.h"
#include "capture/signal_room.h"
#include "events/handlers/cached_slot.h"
#include "events/handlers/current_tid.h"
#include "events/handlers/published.h"
#include "events/threads/thread_clock.h"

namespace hearth::events {
namespace {

using capture::Frame;
using capture::ThreadSlot;

Published<CpuSampling> g_samplings[NSIG];  // by signal
std::atomic<uint64_t> g_running{0};        // number of published samplings

thread_local CachedSlot t_known = {0, nullptr, 0};

// A walk may take longer than the interval: then the next signal is pending when it ends, and the thread never executes
// an instruction of its own. So after a long walk the thread gets as much time without walks; samples of that time are
// skipped, and their weight is added to the next one. Parallel sessions walk in each other's pauses, so a pause holds
// for all of them.
bool is_throttled(ThreadSlot* slot) {
  if (slot->throttled_until == 0) return false;
  if (capture::thread_cpu_ns() < slot->throttled_until) return true;
  slot->throttled_until = 0;
  return false;
}

// The thread's own clock is a system call, so the cheap one, which also counts the time of other threads, decides
// first.
void throttle_after_long_walk(const CpuSampling& sampling, ThreadSlot* slot, uint64_t entered_ns,
                              uint64_t entered_cpu_ns) {
  auto interval = static_cast<uint64_t>(sampling.interval_ns);
  uint64_t walkers = g_running.load(std::memory_order_relaxed);
  if (2 * walkers * (capture::now_ns() - entered_ns) < interval) return;
  uint64_t now = capture::thread_cpu_ns();
  uint64_t walked = walkers * (now - entered_cpu_ns);
  if (2 * walked >= interval) slot->throttled_until = now + walked;
}

void on_perf_event(int signal, siginfo_t* info, void* context) {
  Published<CpuSampling>::Entry entry(&g_samplings[signal]);
  CpuSampling* sampling = entry.sampling();
  int fd = info->si_fd;
  // Accepts signals of the kernel only (si_code above 0): any process may send the number with any fd.
  if (sampling == nullptr || info->si_code <= 0 || fd < 0 || static_cast<uint32_t>(fd) >= CpuSampling::kMaxFd) return;
  // Ignores a late signal of an earlier session, when another engine has the number now.
  if (sampling->slot_of_fd == nullptr) return;
  ThreadSlot* slot = sampling->slot_of_fd[fd].load(std::memory_order_acquire);
  if (slot == nullptr || slot->tid != current_tid()) return;
  uint64_t entered = capture::now_ns();
  Frame kernel[capture::kMaxKernelFrames];
  uint32_t kernel_count = 0;
  if (slot->kernel_ring != nullptr)
    kernel_count = capture::read_kernel_ring(slot->kernel_ring, kernel, capture::kMaxKernelFrames);
  if (is_throttled(slot)) return;
  auto count = static_cast<uint64_t>(clock_ns(CLOCK_THREAD_CPUTIME_ID));
  if (count <= slot->last_count) return;  // two signals with one reading
  auto weight = static_cast<int64_t>(count - slot->last_count);
  if (slot->in_first_period) {
    // The first period was a random part of the interval, so that short threads are sampled in proportion.
    auto interval = static_cast<uint64_t>(sampling->interval_ns);
    ioctl(fd, PERF_EVENT_IOC_PERIOD, &interval);
    slot->in_first_period = false;
  }
  slot->last_count = count;
  sampling->recorder->record(static_cast<ucontext_t*>(context), slot, {entered, weight, 0, 0, count}, kernel,
                             kernel_count);
  throttle_after_long_walk(*sampling, slot, entered, count);
}

void on_thread_timer(int signal, siginfo_t* info, void* context) {
  Published<CpuSampling>::Entry entry(&g_samplings[signal]);
  CpuSampling* sampling = entry.sampling();
  if (sampling == nullptr || info->si_code != SI_TIMER) return;
  auto value = reinterpret_cast<uint64_t>(info->si_value.sival_ptr);
  auto index = static_cast<uint32_t>(value);
  if (value >> 32 != (sampling->number & UINT32_MAX) || index >= CpuSampling::kMaxSlots) return;
  ThreadSlot* slot = sampling->slots + index;
  if (slot->tid != current_tid() || is_throttled(slot)) return;
  uint64_t entered = capture::now_ns();
  auto count = static_cast<uint64_t>(clock_ns(CLOCK_THREAD_CPUTIME_ID));
  if (count <= slot->last_count) return;
  auto weight = static_cast<int64_t>(count - slot->last_count);
  slot->last_count = count;
  sampling->recorder->record(static_cast<ucontext_t*>(context), slot, {entered, weight, 0, 0, count}, nullptr, 0);
  throttle_after_long_walk(*sampling, slot, entered, count);
}

void on_process_timer(int signal, siginfo_t*, void* context) {
  Published<CpuSampling>::Entry entry(&g_samplings[signal]);
  CpuSampling* sampling = entry.sampling();
  // Ignores a late signal, as on_perf_event() does.
  if (sampling == nullptr || sampling->slots_by_thread.table == nullptr) return;
  uint64_t entered = capture::now_ns();
  ThreadSlot* slot = slot_of_this_thread(sampling->number, sampling->slots_by_thread, &t_known);
  // Without a free slot the next sample gets the time; the time of an unwanted thread is not counted.
  if (slot == nullptr && !sampling->some_threads) return;
  if (slot != nullptr && is_throttled(slot)) return;
  uint64_t entered_cpu = capture::thread_cpu_ns();
  int64_t count = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
  int64_t before = sampling->process_cpu_ns.exchange(count, std::memory_order_relaxed);
  if (slot == nullptr || count <= before) return;
  sampling->recorder->record(static_cast<ucontext_t*>(context), slot, {entered, count - before}, nullptr, 0);
  throttle_after_long_walk(*sampling, slot, entered, entered_cpu);
}

}  // namespace

constexpr capture::SignalHandler kPerfEventHandler = capture::SignalRoom::safe(on_perf_event);
constexpr capture::SignalHandler kThreadTimerHandler = capture::SignalRoom::safe(on_thread_timer);
constexpr capture::SignalHandler kProcessTimerHandler = capture::SignalRoom::safe(on_process_timer);

void publish(int signal, CpuSampling* sampling) {
  g_running += sampling != nullptr ? 1 : -1;
  g_samplings[signal].publish(sampling);
}

}  // namespace hearth::events
