#include "events/handlers/cpu_handlers.h"

#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <ctime>

#include "capture/signal_room.h"
#include "events/handlers/cached_slot.h"
#include "events/handlers/current_tid.h"
#include "events/handlers/perf_reads.h"
#include "events/handlers/published.h"
#include "events/threads/thread_clock.h"
#include "events/wall/thread_state.h"

namespace hearth::events {
namespace {

using capture::ThreadSlot;

Published<CpuSampling> g_samplings[NSIG];  // by signal
std::atomic<uint64_t> g_running{0};        // number of published samplings with pauses
std::atomic<bool> g_pauses[NSIG] = {};     // whether that of a signal is among them

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
  auto interval = static_cast<uint64_t>(sampling.interval);
  uint64_t walkers = g_running.load(std::memory_order_relaxed);
  if (2 * walkers * (capture::now_ns() - entered_ns) < interval) return;
  uint64_t now = capture::thread_cpu_ns();
  uint64_t walked = walkers * (now - entered_cpu_ns);
  if (2 * walked >= interval) slot->throttled_until = now + walked;
}

// The first period was a random part of the interval, so that short threads are sampled as often as they deserve.
void end_first_period(const CpuSampling& sampling, PerfThread* thread) {
  if (!thread->in_first_period) return;
  auto interval = static_cast<uint64_t>(sampling.interval);
  ioctl(thread->fd.get(), PERF_EVENT_IOC_PERIOD, &interval);
  thread->in_first_period = false;
}

void on_perf_clock(int signal, siginfo_t* info, void* context) {
  Published<CpuSampling>::Entry entry(&g_samplings[signal]);
  CpuSampling* sampling = entry.sampling();
  // Without a table it is a late signal of the session before, while another engine has the signal.
  PerfThread* thread = sampling == nullptr ? nullptr : signalled_thread(sampling->thread_of_fd, info);
  if (thread == nullptr) return;
  uint64_t entered = capture::now_ns();
  KernelFrames kernel(thread->kernel_ring.as<void>());
  if (is_throttled(thread->slot)) return;
  int64_t count = clock_ns(CLOCK_THREAD_CPUTIME_ID);
  if (count <= thread->last_count) return;  // two signals, one reading
  int64_t weight = count - thread->last_count;
  end_first_period(*sampling, thread);
  thread->last_count = count;
  auto entered_cpu = static_cast<uint64_t>(count);
  sampling->recorder->record(static_cast<ucontext_t*>(context), thread->slot,
                             {entered, weight, sampling->event, cpu_state(sampling->records_cpu), entered_cpu},
                             kernel.frames, kernel.count);
  throttle_after_long_walk(*sampling, thread->slot, entered, entered_cpu);
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
  sampling->recorder->record(static_cast<ucontext_t*>(context), slot, {entered, weight, sampling->event, 0, count},
                             nullptr, 0);
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
  sampling->recorder->record(static_cast<ucontext_t*>(context), slot, {entered, count - before, sampling->event},
                             nullptr, 0);
  throttle_after_long_walk(*sampling, slot, entered, entered_cpu);
}

}  // namespace

constexpr capture::SignalHandler kPerfClockHandler = capture::SignalRoom::safe(on_perf_clock);
constexpr capture::SignalHandler kThreadTimerHandler = capture::SignalRoom::safe(on_thread_timer);
constexpr capture::SignalHandler kProcessTimerHandler = capture::SignalRoom::safe(on_process_timer);

void publish(int signal, CpuSampling* sampling) {
  bool pauses = sampling != nullptr;
  bool paused = g_pauses[signal].exchange(pauses);
  g_running += static_cast<uint64_t>(pauses) - static_cast<uint64_t>(paused);
  g_samplings[signal].publish(sampling);
}

}  // namespace hearth::events
