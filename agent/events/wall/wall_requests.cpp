#include "events/wall/wall_requests.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <csignal>
#include <optional>

#include "events/handlers/interrupted_syscall.h"
#include "events/threads/probe_costs.h"
#include "events/threads/thread_clock.h"
#include "events/wall/wall_answer.h"

namespace hearth::events {

using capture::ThreadSlot;
using capture::WallRequest;

void WallRequests::begin(const EventPlan& plan) {
  signal_.take(kWallSignalHandler, plan.signal);
  sampling_.event = plan.event;
  sampling_.recorder = plan.recorder;
  sampling_.table = plan.registry->table();
  publish_wall(signal_.number(), &sampling_);
}

void WallRequests::withdraw() {
  publish_wall(signal_.number(), nullptr);
}

void WallRequests::send(ThreadSlot* slot, WatchedThread* watched, int64_t cpu_ns) {
  TaskFiles::SyscallState call;
  bool is_on_cpu = cpu_ns_of(slot->tid) != cpu_ns;
  if (!is_on_cpu) call = files_.syscall_state_of(slot->tid);
  WallRequest& wall = slot->wall;
  wall.observed = {call.blocked ? call.number : SystemCall::kNone, call.argument, call.sp};
  ThreadState outside_calls = ThreadState::kSyscall;
  if (!call.blocked) {
    int64_t run_delay_ns = files_.run_delay_ns(slot->tid);
    uint64_t now = capture::now_ns();
    outside_calls = watched->running_or_runnable(run_delay_ns, static_cast<int64_t>(now - wall.until_ns), withheld_);
  }
  wall.state_outside_calls = static_cast<uint16_t>(outside_calls);
  watched->request_from_ns = wall.until_ns;
  watched->request_cpu_ns = call.blocked ? cpu_ns : WatchedThread::kOnCpu;
  watched->visits_unanswered = 0;
  wall.request_seq.store(wall.response_seq.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  if (!send_signal(*slot)) cancel(&wall);
}

bool WallRequests::send_signal(const ThreadSlot& slot) const {
  siginfo_t info{};
  info.si_code = SI_QUEUE;
  info.si_pid = getpid();
  info.si_uid = getuid();
  uint64_t value = sampling_.number << 32 | static_cast<uint64_t>(&slot - slots());
  info.si_value.sival_ptr = reinterpret_cast<void*>(value);
  return syscall(SYS_rt_tgsigqueueinfo, getpid(), slot.tid.load(), signal_.number(), &info) == 0;
}

bool WallRequests::is_unanswered(const WallRequest& wall) {
  return wall.request_seq.load(std::memory_order_relaxed) != wall.response_seq.load(std::memory_order_acquire);
}

void WallRequests::cancel(WallRequest* wall) {
  wall->request_seq.store(wall->response_seq.load(std::memory_order_relaxed), std::memory_order_relaxed);
}

bool WallRequests::is_where_it_answered(const ThreadSlot& slot) const {
  const WallRequest& wall = slot.wall;
  TaskFiles::SyscallState call = files_.syscall_state_of(slot.tid);
  bool same_call = wall.call_number == SystemCall::kUnknown || wall.call_number == call.number;
  return call.blocked && same_call && call.argument == wall.call_argument && call.sp == wall.sp;
}

bool WallRequests::has_stayed(const ThreadSlot& slot, WatchedThread* watched, int64_t cpu_ns) const {
  if (cpu_ns == watched->blocked_cpu_ns) return is_still_there(slot, watched);
  return has_only_answered(slot, watched, cpu_ns);
}

// True if a blocked thread with an unchanged clock has not moved. A short run may not advance the clock, so every
// 256th visit also checks the call, which costs more.
bool WallRequests::is_still_there(const ThreadSlot& slot, WatchedThread* watched) const {
  constexpr int kVisitsToCheck = 256;
  return ++watched->trusted % kVisitsToCheck != 0 || is_where_it_answered(slot);
}

// True if a blocked thread was only sampled by another session and is blocked as before: its reason may have changed.
bool WallRequests::has_only_answered(const ThreadSlot& slot, WatchedThread* watched, int64_t cpu_ns) const {
  if (!ProbeCosts::instance().only_answered(slot.tid, watched->blocked_cpu_ns, cpu_ns)) return false;
  if (!is_where_it_answered(slot) || !has_labels_of_answer(slot.wall) || !has_span_of_answer(slot.wall)) return false;
  watched->blocked_cpu_ns = cpu_ns;
  return true;
}

}  // namespace hearth::events
