#include "events/handlers/wall_handler.h"

#include "capture/faults/safe_load.h"
#include "capture/labels/foreign_context.h"
#include "capture/labels/thread_labels.h"
#include "capture/labels/thread_spans.h"
#include "capture/signal_room.h"
#include "events/handlers/current_tid.h"
#include "events/handlers/interrupted_syscall.h"
#include "events/handlers/lock_wait.h"
#include "events/handlers/published.h"

namespace hearth::events {
namespace {

using capture::ThreadSlot;
using capture::WallRequest;

Published<WallSampling> g_samplings[NSIG];  // by signal

// JDK 8 does not export the state in OSThread. A thread that was notified and waits to enter again still has the
// monitor that it waited on, and is taken for one that waits.
int state_by_monitors(const capture::LockHolderLayout& layout, uintptr_t thread) {
  if (layout.has_monitors && capture::load(thread + layout.pending) != 0) return JavaThreadStates::kMonitorWait;
  bool waits = layout.waiting >= 0 && capture::load(thread + static_cast<uintptr_t>(layout.waiting)) != 0;
  return waits ? JavaThreadStates::kObjectWait : -1;
}

JavaThreadStates states_of(const capture::CurrentJavaThread& thread, const JavaThreadView& view) {
  JavaThreadStates states;
  if (!thread.is_java()) return states;
  states.thread = thread.state();
  if (view.osthread < 0 || view.osthread_state < 0) {
    states.os_thread = state_by_monitors(view.vm->lock_holders, thread.address());
    return states;
  }
  uintptr_t osthread = capture::load(thread.address() + static_cast<uintptr_t>(view.osthread));
  states.os_thread = static_cast<int>(capture::load32(osthread + static_cast<uintptr_t>(view.osthread_state)));
  return states;
}

// What a thread at a safepoint waits for, for WallRequest::state. The operation begins with the pointer to the virtual
// functions of its class; it may have ended, and its memory be used anew.
uint16_t with_operation(ThreadState state, const JavaThreadView& view) {
  auto number = static_cast<uint16_t>(state);
  if (state != ThreadState::kBarrier || view.operation == 0) return number;
  uintptr_t operation = capture::load(view.operation);
  uintptr_t functions = operation == 0 ? 0 : capture::load(operation);
  if (capture::load(view.operation) != operation) return number;
  return static_cast<uint16_t>(number + kOperation * view.operations->number_of(functions));
}

// True for a signal without its siginfo: without memory for it the kernel delivers the signal as if by kill()
// (kernel/signal.c, __send_signal_locked and collect_signal).
bool has_lost_its_siginfo(const siginfo_t* info) {
  return info->si_code == SI_USER && info->si_pid == 0;
}

ThreadSlot* requested_slot(const WallSampling& sampling, const siginfo_t* info) {
  int tid = current_tid();
  if (has_lost_its_siginfo(info)) return sampling.table->seek(tid);
  auto value = reinterpret_cast<uint64_t>(info->si_value.sival_ptr);
  auto index = static_cast<uint32_t>(value);
  if (info->si_code != SI_QUEUE || value >> 32 != (sampling.number & UINT32_MAX) || index >= SlotTable::kMaxThreads)
    return nullptr;
  ThreadSlot* slot = sampling.table->slots() + index;
  return slot->tid == tid ? slot : nullptr;
}

void on_wall_signal(int signal, siginfo_t* info, void* context) {
  Published<WallSampling>::Entry entry(&g_samplings[signal]);
  WallSampling* sampling = entry.sampling();
  if (sampling == nullptr) return;
  ThreadSlot* slot = requested_slot(*sampling, info);
  if (slot == nullptr) {
    sampling->refused.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  WallRequest& wall = slot->wall;
  uint32_t request = wall.request_seq.load(std::memory_order_acquire);
  if (request == wall.response_seq.load(std::memory_order_relaxed)) return;

  uint64_t entered = capture::now_ns();
  auto* interrupted = static_cast<ucontext_t*>(context);
  SystemCall call = interrupted_syscall(interrupted, wall.observed);
  capture::CurrentJavaThread thread(*sampling->java.vm, *sampling->java.access);
  JavaThreadStates java = states_of(thread, sampling->java);
  ThreadState state = state_in(call, java);
  if (state == ThreadState::kNone) state = static_cast<ThreadState>(wall.state_outside_calls);
  auto weight = static_cast<int64_t>(entered - wall.until_ns);
  wall.state = with_operation(state, sampling->java);
  wall.recorded =
      sampling->recorder->record(interrupted, slot, {entered, weight, sampling->event, wall.state}, nullptr, 0);
  wall.until_ns = entered;
  wall.call_number = call.number;
  wall.call_argument = call.arguments[0];
  wall.sp = call.sp;
  wall.labels = java.thread >= 0 ? capture::label_cell() : nullptr;
  wall.span = java.thread >= 0 ? capture::span_cell() : nullptr;
  wall.span_check = capture::span_cell()->check;
  const capture::ForeignSource* source = java.thread >= 0 ? capture::foreign_source() : nullptr;
  wall.context = source == nullptr ? 0 : capture::address_of(source->variable);
  wall.context_check = capture::check_of(wall.context);
  wall.java_thread = thread.address();
  wall.lock = sampling->reads_locks && is_blocked(state) ? lock_wait_of(*sampling->java.vm, wall.java_thread)
                                                         : capture::LockWait();
  wall.response_seq.store(request, std::memory_order_release);
}

}  // namespace

constexpr capture::SignalHandler kWallSignalHandler = capture::SignalRoom::safe(on_wall_signal);

void publish_wall(int signal, WallSampling* sampling) {
  g_samplings[signal].publish(sampling);
}

}  // namespace hearth::events
