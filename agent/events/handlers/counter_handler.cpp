#include "events/handlers/counter_handler.h"

#include <linux/perf_event.h>
#include <sys/ioctl.h>

#include <algorithm>

#include "capture/kernel_ring.h"
#include "capture/signal_room.h"
#include "events/handlers/perf_reads.h"
#include "events/handlers/published.h"

namespace hearth::events {
namespace {

Published<CounterRoom> g_room;

// Where the handler itself meets the event, as a system call's tracepoint, its own counts would cause the next signal
// at once: the period is then so long that the thread has most of them. Weights are counts, so they stay right. The
// first period was a random part of the interval, so that short threads are sampled as often as they deserve.
void choose_period(CounterThread* thread, int64_t own) {
  constexpr int64_t kOwnShare = 16;
  int64_t interval = thread->sampling->interval;
  int64_t period = 2 * own >= thread->period ? std::max(interval, own * kOwnShare) : interval;
  if (period == thread->period) return;
  auto wanted = static_cast<uint64_t>(period);
  ioctl(thread->fd.get(), PERF_EVENT_IOC_PERIOD, &wanted);
  thread->period = period;
}

// Counts while the handler runs are its own and belong to no sample. No rest is needed after a long walk: the next
// signal comes only when the thread has met the event again.
void sample(CounterThread* thread, void* context) {
  const CounterSampling& sampling = *thread->sampling;
  auto count = static_cast<int64_t>(perf_count(thread->fd.get()));
  uint64_t entered = capture::now_ns();
  KernelFrames kernel(thread->kernel_ring.as<void>());
  if (count == 0 || count <= thread->last_count) return;  // two signals, one reading; or the handler's own
  int64_t weight = count - thread->last_count;
  sampling.recorder->record(static_cast<ucontext_t*>(context), thread->slot,
                            {entered, weight, sampling.event, cpu_state(sampling.records_cpu)}, kernel.frames,
                            kernel.count);
  thread->last_count = static_cast<int64_t>(perf_count(thread->fd.get()));
  choose_period(thread, thread->last_count - count);
}

// A second overflow while the signal of the first is pending sends none.
bool has_overflowed(const CounterThread& thread) {
  if (thread.kernel_ring) return capture::has_kernel_record(thread.kernel_ring.as<void>());
  return static_cast<int64_t>(perf_count(thread.fd.get())) - thread.last_count >= thread.period;
}

void on_perf_counter(int, siginfo_t* info, void* context) {
  Published<CounterRoom>::Entry entry(&g_room);
  CounterRoom* room = entry.sampling();
  CounterThread* signalled = room == nullptr ? nullptr : signalled_thread(room->thread_of_fd, info);
  if (signalled == nullptr) return;
  for (std::atomic<CounterThread*>& member : signalled->group->members) {
    CounterThread* thread = member.load(std::memory_order_acquire);
    if (thread == nullptr || thread->sampling->is_muted.load(std::memory_order_relaxed)) continue;
    if (thread == signalled || has_overflowed(*thread)) sample(thread, context);
  }
}

}  // namespace

constexpr capture::SignalHandler kPerfCounterHandler = capture::SignalRoom::safe(on_perf_counter);

void publish_counters(CounterRoom* room) {
  g_room.publish(room);
}

}  // namespace hearth::events
