#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <vector>

#include "base/error.h"
#include "base/formatted.h"
#include "base/scoped_signal_mask.h"
#include "events/deadly_calls.h"
#include "events/event_source.h"
#include "events/handlers/current_tid.h"
#include "events/handlers/interrupted_syscall.h"
#include "events/handlers/wall_handler.h"
#include "events/profiling_signal.h"
#include "events/threads/probe_costs.h"
#include "events/threads/task_files.h"
#include "events/threads/thread_clock.h"
#include "events/threads/timing_wheel.h"
#include "events/threads/unresponsive_threads.h"
#include "events/wall/wall_answer.h"

namespace hearth::events {
namespace {

using capture::now_ns;
using capture::StackTree;
using capture::ThreadSlot;
using capture::WallRequest;

bool is_waiting_for_answer(const WallRequest& wall) {
  return wall.request_seq.load(std::memory_order_relaxed) != wall.response_seq.load(std::memory_order_acquire);
}

// A sampler thread visits all threads cyclically. A thread that has used no CPU time since it was last seen blocked has
// not moved: its stack is counted again, at the price of a clock reading. Any other gets a signal and answers in it.
class WallClock : public EventSource {
 public:
  explicit WallClock(const JavaThreadView& java) { sampling_.java = java; }
  WallClock(const WallClock&) = delete;
  WallClock& operator=(const WallClock&) = delete;
  ~WallClock() override { end_clock(); }

  std::string engine() const override { return "wall"; }
  bool follows_threads() const override { return true; }

  void start(const EventPlan& plan) override {
    refuse_deadly({SYS_rt_tgsigqueueinfo}, "rt_tgsigqueueinfo");
    plan_ = plan;
    schedule_ = std::make_unique<TimingWheel>(plan.interval);
    signal_.take(kWallSignalHandler);
    sampling_.event = plan.event;
    sampling_.recorder = plan.recorder;
    sampling_.table = plan.registry->table();
    publish_wall(signal_.number(), &sampling_);
    try {
      start_thread();
      ProbeCosts::instance().clock_begins();
    } catch (const std::system_error& error) {
      publish_wall(signal_.number(), nullptr);
      signal_.release();
      throw Error(formatted("no thread can be created ({})", error.what()),
                  "raise the limit on threads (ulimit -u, pids cgroup)");
    }
  }

  bool attach_thread(ThreadSlot* slot) override {
    std::lock_guard<std::mutex> lock(mutex_);
    auto index = static_cast<uint32_t>(slot - slots());
    if (index >= watched_.size()) watched_.resize(index + 1);
    Watched& watched = watched_[index];
    watched = Watched();
    watched.serial = slot->serial;
    watched.run_delay_ns = files_.run_delay_ns(slot->tid);
    cancel_request(&slot->wall);
    slot->wall.recorded = {};
    slot->wall.until_ns = now_ns();
    schedule_->add({index, slot->serial});
    return true;
  }

  int64_t detach_thread(ThreadSlot* slot) override {
    std::lock_guard<std::mutex> lock(mutex_);
    Watched* watched = find({static_cast<uint32_t>(slot - slots()), slot->serial});
    if (watched == nullptr) return 0;
    flush(*slot, watched);
    if (is_waiting_for_answer(slot->wall)) unresponsive_.left(slot->serial);
    cancel_request(&slot->wall);
    if (plan_.recorder->records(*slot)) count_rest(*slot);
    watched->serial = 0;
    ProbeCosts::instance().forget(slot->tid);
    return 0;
  }

  int64_t cpu_ns(const ThreadSlot&) const override { return 0; }

  void disable() override {
    end_clock();
    publish_wall(signal_.number(), nullptr);
  }
  void stop() override { signal_.release(); }

  void flush() override {
    std::lock_guard<std::mutex> lock(mutex_);
    for (uint32_t i = 0; i < watched_.size(); i++) {
      if (watched_[i].serial != 0) flush(slots()[i], &watched_[i]);
    }
  }
  std::string trouble() const override {
    return unresponsive_.trouble(sampling_.refused.load(std::memory_order_relaxed));
  }
  int own_tid() const override { return tid_; }
  int64_t own_cpu_ns() const override { return own_cpu_ns_; }

 private:
  using Visit = TimingWheel::Visit;

  static constexpr int64_t kOnCpu = -1;
  struct Watched {
    uint32_t serial = 0;  // 0: unused
    // Blocked since its last answer, as long as its CPU clock shows blocked_cpu_ns.
    bool blocked = false;
    int64_t blocked_cpu_ns = 0;
    int trusted = 0;  // visits since then
    int doubts = 0;   // consecutive answers with a stack without a root
    // Samples like the last answer that are not passed on yet.
    int64_t repeats = 0;
    int64_t repeated_ns = 0;
    int64_t run_delay_ns = 0;      // its wait for CPUs, as last read
    int64_t runnable_owed_ns = 0;  // the part of run_delay_ns that no sample has as runnable yet
    uint64_t request_from_ns = 0;  // start of the time that the request covers
    int visits_unanswered = 0;     // since the request
    int64_t request_cpu_ns = kOnCpu;
  };

  ThreadSlot* slots() const { return sampling_.table->slots(); }

  void start_thread() {
    std::unique_lock<std::mutex> lock(mutex_);
    {
      ScopedSignalMask blocked;
      thread_ = std::thread([this] { run(); });
    }
    wake_.wait(lock, [this] { return tid_ != 0; });
  }

  void end_clock() {
    if (!thread_.joinable()) return;
    {
      std::lock_guard<std::mutex> lock(mutex_);
      ends_ = true;
    }
    wake_.notify_all();
    thread_.join();
    ProbeCosts::instance().clock_ends();
  }

  void run() {
    pthread_setname_np(pthread_self(), "hearth wall");
    {
      std::lock_guard<std::mutex> lock(mutex_);
      tid_ = current_tid();
    }
    wake_.notify_all();
    auto tick = std::chrono::steady_clock::now();
    while (wait_until(tick + std::chrono::nanoseconds(schedule_->jitter_ns()))) {
      take_answers();
      visit_due();
      own_cpu_ns_ = clock_ns(CLOCK_THREAD_CPUTIME_ID);
      tick = std::max(tick + std::chrono::nanoseconds(schedule_->tick_ns()), std::chrono::steady_clock::now());
    }
  }

  // False: the session ends.
  bool wait_until(std::chrono::steady_clock::time_point time) {
    std::unique_lock<std::mutex> lock(mutex_);
    return !wake_.wait_until(lock, time, [this] { return ends_; });
  }

  // Unlocks after each visit: a thread that ends or starts waits for one visit at most.
  void visit_due() {
    std::unique_lock<std::mutex> lock(mutex_);
    std::vector<Visit> due = schedule_->next_tick();
    for (Visit one : due) {
      visit(one);
      lock.unlock();
      lock.lock();
    }
  }

  void take_answers() {
    std::lock_guard<std::mutex> lock(mutex_);
    auto is_done = [this](Visit one) { return take_answer(one); };
    pending_.erase(std::remove_if(pending_.begin(), pending_.end(), is_done), pending_.end());
  }

  Watched* find(Visit visit) {
    if (visit.slot >= watched_.size() || watched_[visit.slot].serial != visit.serial) return nullptr;
    return &watched_[visit.slot];
  }

  void visit(Visit visit) {
    Watched* watched = find(visit);
    if (watched == nullptr) return;
    schedule_->again(visit);
    ThreadSlot* slot = slots() + visit.slot;
    if (is_waiting_for_answer(slot->wall)) return keep_waiting(*slot, watched);
    if (!plan_.recorder->records(*slot)) return leave_out(slot, watched);
    std::optional<int64_t> cpu_ns = cpu_ns_of(slot->tid);
    if (!cpu_ns) return;
    if (watched->blocked && has_stayed(*slot, watched, *cpu_ns)) {
      uint64_t now = now_ns();
      watched->repeats++;
      watched->repeated_ns += static_cast<int64_t>(now - slot->wall.until_ns);
      slot->wall.until_ns = now;
      return;
    }
    flush(*slot, watched);
    watched->blocked = false;
    send_request(slot, watched, *cpu_ns);
    pending_.push_back(visit);
  }

  // The thread may have no CPU to answer on or block the signal: then the answer will have the weight of all that time.
  // Signals are lost if the kernel has no memory for the siginfo or one of the same number was pending, so another one
  // is sent. That is harmless: they are not queued.
  void keep_waiting(const ThreadSlot& slot, Watched* watched) {
    constexpr int kVisitsToRepeat = 16;
    if (++watched->visits_unanswered % kVisitsToRepeat != 0) return;
    if (watched->visits_unanswered == kVisitsToRepeat)
      unresponsive_.look_at(slot.serial, slot.tid, signal_.number(), files_);
    send_signal(slot);
  }

  // Its time until the next sample is not counted.
  void leave_out(ThreadSlot* slot, Watched* watched) {
    flush(*slot, watched);
    watched->blocked = false;
    slot->wall.until_ns = now_ns();
  }

  void send_request(ThreadSlot* slot, Watched* watched, int64_t cpu_ns) {
    TaskFiles::SyscallState call;
    bool is_on_cpu = cpu_ns_of(slot->tid) != cpu_ns;
    if (!is_on_cpu) call = files_.syscall_state_of(slot->tid);
    WallRequest& wall = slot->wall;
    wall.observed_syscall = call.blocked ? call.number : SystemCall::kNone;
    wall.observed_sp = call.sp;
    ThreadState outside_calls = ThreadState::kSyscall;
    if (!call.blocked) outside_calls = running_or_runnable(*slot, watched);
    wall.state_outside_calls = static_cast<uint16_t>(outside_calls);
    watched->request_from_ns = wall.until_ns;
    watched->request_cpu_ns = call.blocked ? cpu_ns : kOnCpu;
    watched->visits_unanswered = 0;
    wall.request_seq.store(wall.response_seq.load(std::memory_order_relaxed) + 1, std::memory_order_release);
    if (!send_signal(*slot)) cancel_request(&wall);
  }

  // Whether a thread is on a CPU now cannot be observed: the observer takes a CPU itself. But the kernel counts how
  // long it has waited for one, and that share of its time becomes runnable.
  ThreadState running_or_runnable(const ThreadSlot& slot, Watched* watched) {
    int64_t run_delay_ns = std::max(files_.run_delay_ns(slot.tid), watched->run_delay_ns);
    watched->runnable_owed_ns += run_delay_ns - watched->run_delay_ns;
    watched->run_delay_ns = run_delay_ns;
    auto weight = static_cast<int64_t>(now_ns() - slot.wall.until_ns);
    return watched->runnable_owed_ns * 2 >= weight ? ThreadState::kRunnable : ThreadState::kRunning;
  }

  bool send_signal(const ThreadSlot& slot) const {
    siginfo_t info{};
    info.si_code = SI_QUEUE;
    info.si_pid = getpid();
    info.si_uid = getuid();
    uint64_t value = sampling_.number << 32 | static_cast<uint64_t>(&slot - slots());
    info.si_value.sival_ptr = reinterpret_cast<void*>(value);
    return syscall(SYS_rt_tgsigqueueinfo, getpid(), slot.tid.load(), signal_.number(), &info) == 0;
  }

  static void cancel_request(WallRequest* wall) {
    wall->request_seq.store(wall->response_seq.load(std::memory_order_relaxed), std::memory_order_relaxed);
  }

  // True if there is no answer to wait for any more.
  bool take_answer(Visit visit) {
    Watched* watched = find(visit);
    if (watched == nullptr) return true;
    const ThreadSlot& slot = slots()[visit.slot];
    if (is_waiting_for_answer(slot.wall)) return false;
    unresponsive_.has_answered(slot.serial);
    auto state = static_cast<ThreadState>(slot.wall.state);
    // The signal arrived between waking up and the next blocking call, which is unknown: the next visit samples again.
    bool is_uncertain = state == ThreadState::kSyscall && slot.wall.observed_syscall == SystemCall::kNone;
    if (is_blocked(state) && !is_uncertain) note_blocked(slot, watched);
    if (state == ThreadState::kRunnable)
      watched->runnable_owed_ns -= static_cast<int64_t>(slot.wall.until_ns - watched->request_from_ns);
    return true;
  }

  // Marks a thread as blocked if it is again in the same call with the same stack after its answer. Reads the clock
  // first: it shows any later run. A stack without its root may be an accident and would be repeated for hours, so it
  // must occur several times in a row first.
  void note_blocked(const ThreadSlot& slot, Watched* watched) {
    constexpr int kMostDoubts = 3;
    const WallRequest& wall = slot.wall;
    if (wall.recorded.stack == StackTree::kFull || wall.call_number == SystemCall::kNone) return;
    watched->doubts = wall.recorded.whole ? 0 : std::min(watched->doubts + 1, kMostDoubts);
    if (watched->doubts > 0 && watched->doubts < kMostDoubts) return;
    std::optional<int64_t> cpu_ns = cpu_ns_of(slot.tid);
    watched->blocked = cpu_ns && is_where_it_answered(slot) && has_labels_of_answer(wall) && has_span_of_answer(wall);
    watched->blocked_cpu_ns = cpu_ns.value_or(0);
    watched->trusted = 0;
    if (watched->blocked && watched->request_cpu_ns != kOnCpu)
      ProbeCosts::instance().answered(slot.tid, watched->request_cpu_ns, watched->blocked_cpu_ns);
  }

  bool is_where_it_answered(const ThreadSlot& slot) const {
    const WallRequest& wall = slot.wall;
    TaskFiles::SyscallState call = files_.syscall_state_of(slot.tid);
    bool same_call = wall.call_number == SystemCall::kUnknown || wall.call_number == call.number;
    return call.blocked && same_call && call.argument == wall.call_argument && call.sp == wall.sp;
  }

  // True if a blocked thread with an unchanged clock has not moved. A short run may not advance the clock, so every
  // 256th visit also checks the call, which costs more.
  bool is_still_there(const ThreadSlot& slot, Watched* watched) const {
    constexpr int kVisitsToCheck = 256;
    return ++watched->trusted % kVisitsToCheck != 0 || is_where_it_answered(slot);
  }

  bool has_stayed(const ThreadSlot& slot, Watched* watched, int64_t cpu_ns) const {
    if (cpu_ns == watched->blocked_cpu_ns) return is_still_there(slot, watched);
    return has_only_answered(slot, watched, cpu_ns);
  }

  // True if a blocked thread was only sampled by another session and is blocked as before: its reason may have changed.
  bool has_only_answered(const ThreadSlot& slot, Watched* watched, int64_t cpu_ns) const {
    if (!ProbeCosts::instance().only_answered(slot.tid, watched->blocked_cpu_ns, cpu_ns)) return false;
    if (!is_where_it_answered(slot) || !has_labels_of_answer(slot.wall) || !has_span_of_answer(slot.wall)) return false;
    watched->blocked_cpu_ns = cpu_ns;
    return true;
  }

  void flush(const ThreadSlot& slot, Watched* watched) {
    if (watched->repeats == 0) return;
    const WallRequest& wall = slot.wall;
    plan_.count({wall.until_ns, watched->repeated_ns, wall.recorded.stack, slot.serial, wall.recorded.labels,
                 wall.recorded.span, plan_.event, wall.state},
                watched->repeats);
    plan_.recorder->count_again(wall.recorded, static_cast<uint64_t>(watched->repeats));
    watched->repeats = 0;
    watched->repeated_ns = 0;
  }

  // Counts the time since the last answer at its stack; without an answer only the time is known.
  void count_rest(const ThreadSlot& slot) {
    uint64_t now = now_ns();
    const WallRequest& wall = slot.wall;
    bool known = wall.recorded.stack != StackTree::kFull;
    capture::Recorded recorded = known ? wall.recorded : capture::Recorded();
    uint16_t state = known ? wall.state : static_cast<uint16_t>(ThreadState::kNone);
    plan_.count({now, static_cast<int64_t>(now - wall.until_ns), known ? recorded.stack : StackTree::kRoot, slot.serial,
                 recorded.labels, recorded.span, plan_.event, state},
                0);
  }

  EventPlan plan_;
  ProfilingSignal signal_;
  WallSampling sampling_;
  TaskFiles files_;

  std::mutex mutex_;
  std::unique_ptr<TimingWheel> schedule_;
  std::vector<Watched> watched_;  // by slot
  std::vector<Visit> pending_;    // with answers that are still to be read
  UnresponsiveThreads unresponsive_;

  std::thread thread_;
  std::condition_variable wake_;
  bool ends_ = false;
  int tid_ = 0;
  std::atomic<int64_t> own_cpu_ns_{0};
};

}  // namespace

std::unique_ptr<EventSource> make_wall_clock(const JavaThreadView& java) {
  return std::make_unique<WallClock>(java);
}

}  // namespace hearth::events
