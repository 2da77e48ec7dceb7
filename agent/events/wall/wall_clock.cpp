#include <sys/syscall.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <system_error>
#include <vector>

#include "base/error.h"
#include "base/formatted.h"
#include "events/deadly_calls.h"
#include "events/event_source.h"
#include "events/handlers/interrupted_syscall.h"
#include "events/threads/probe_costs.h"
#include "events/threads/thread_clock.h"
#include "events/threads/timing_wheel.h"
#include "events/threads/unresponsive_threads.h"
#include "events/threads/withheld_time.h"
#include "events/wall/lock_holders.h"
#include "events/wall/sampler_thread.h"
#include "events/wall/wall_answer.h"
#include "events/wall/wall_requests.h"

namespace hearth::events {
namespace {

using capture::now_ns;
using capture::StackTree;
using capture::ThreadSlot;
using capture::WallRequest;

// Passes on the samples like the last answer.
void pass_on(const EventPlan& plan, const ThreadSlot& slot, WatchedThread* watched) {
  if (watched->repeats == 0) return;
  const WallRequest& wall = slot.wall;
  plan.count({wall.until_ns, watched->repeated_ns, wall.recorded.stack, slot.serial, wall.recorded.labels,
              wall.recorded.span, plan.event, wall.state},
             watched->repeats);
  plan.recorder->count_again(wall.recorded, static_cast<uint64_t>(watched->repeats));
  watched->repeats = 0;
  watched->repeated_ns = 0;
}

// Counts the time since the last answer at its stack; without an answer only the time is known.
void count_rest(const EventPlan& plan, const ThreadSlot& slot) {
  uint64_t now = now_ns();
  const WallRequest& wall = slot.wall;
  bool known = wall.recorded.stack != StackTree::kFull;
  capture::Recorded recorded = known ? wall.recorded : capture::Recorded();
  uint16_t state = known ? wall.state : static_cast<uint16_t>(ThreadState::kNone);
  plan.count({now, static_cast<int64_t>(now - wall.until_ns), known ? recorded.stack : StackTree::kRoot, slot.serial,
              recorded.labels, recorded.span, plan.event, state},
             0);
}

// A sampler thread visits all threads cyclically. A thread that has used no CPU time since it was last seen blocked has
// not moved: its stack is counted again, at the price of a clock reading. Any other gets a signal and answers in it.
class WallClock : public EventSource {
 public:
  WallClock(const JavaThreadView& java, std::shared_ptr<LockHolders> holders, int signal)
      : requests_(java, holders != nullptr), holders_(std::move(holders)), signal_(signal) {
    threads_ = {&watched_, nullptr, [this](uint32_t slot) { return ask_holder(slot); }};
  }
  WallClock(const WallClock&) = delete;
  WallClock& operator=(const WallClock&) = delete;
  ~WallClock() override { end_clock(); }

  std::string engine() const override { return "wall"; }
  bool follows_threads() const override { return true; }

  void start(const EventPlan& plan) override {
    refuse_deadly({SYS_rt_tgsigqueueinfo}, "rt_tgsigqueueinfo");
    plan_ = plan;
    plan_.signal = signal_;
    schedule_ = std::make_unique<TimingWheel>(plan.interval);
    requests_.begin(plan_);
    requests_.set_withheld(withheld_.at(now_ns()));
    threads_.slots = requests_.slots();
    try {
      std::chrono::nanoseconds tick(schedule_->tick_ns());
      auto delay = [this] { return std::chrono::nanoseconds(schedule_->jitter_ns()); };
      auto run = [this] {
        tick_began_ns_ = now_ns();
        try {
          WithheldSums withheld = withheld_.at(tick_began_ns_);  // reads files, which may take long: without the lock
          take_answers(withheld);
          visit_due();
        } catch (const std::bad_alloc&) {  // the next tick tries again
        }
      };
      thread_.begin({tick, delay, run});
      ProbeCosts::instance().clock_begins();
    } catch (const std::system_error& error) {
      requests_.withdraw();
      requests_.release();
      throw Error(formatted("no thread can be created ({})", error.what()),
                  "raise the limit on threads (ulimit -u, pids cgroup)");
    }
  }

  bool attach_thread(ThreadSlot* slot) override {
    std::lock_guard<std::mutex> lock(mutex_);
    auto index = static_cast<uint32_t>(slot - requests_.slots());
    if (index >= watched_.size()) watched_.resize(index + 1);
    WatchedThread& watched = watched_[index];
    watched = WatchedThread();
    watched.serial = slot->serial;
    watched.run_delay_ns = requests_.files().run_delay_ns(slot->tid);
    watched.withheld_seen = requests_.withheld();
    WallRequests::cancel(&slot->wall);
    slot->wall.recorded = {};
    slot->wall.until_ns = now_ns();
    schedule_->add({index, slot->serial});
    return true;
  }

  int64_t detach_thread(ThreadSlot* slot) override {
    std::lock_guard<std::mutex> lock(mutex_);
    WatchedThread* watched = find({static_cast<uint32_t>(slot - requests_.slots()), slot->serial});
    if (watched == nullptr) return 0;
    pass_on(plan_, *slot, watched);
    if (WallRequests::is_unanswered(slot->wall)) unresponsive_.left(slot->serial);
    WallRequests::cancel(&slot->wall);
    if (plan_.recorder->records(*slot)) count_rest(plan_, *slot);
    watched->serial = 0;
    ProbeCosts::instance().forget(slot->tid);
    return 0;
  }

  int64_t cpu_ns(const ThreadSlot&) const override { return 0; }

  void disable() override {
    end_clock();
    requests_.withdraw();
    std::lock_guard<std::mutex> lock(mutex_);
    if (holders_ != nullptr) holders_->finish();
  }
  void stop() override { requests_.release(); }

  void flush() override {
    std::lock_guard<std::mutex> lock(mutex_);
    for (uint32_t i = 0; i < watched_.size(); i++) {
      if (watched_[i].serial != 0) pass_on(plan_, requests_.slots()[i], &watched_[i]);
    }
  }
  std::string trouble() const override { return unresponsive_.trouble(requests_.refused()); }
  int own_tid() const override { return thread_.tid(); }
  int64_t own_cpu_ns() const override { return thread_.cpu_ns(); }

 private:
  using Visit = TimingWheel::Visit;

  void end_clock() {
    if (thread_.end()) ProbeCosts::instance().clock_ends();
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

  void take_answers(const WithheldSums& withheld) {
    std::lock_guard<std::mutex> lock(mutex_);
    requests_.set_withheld(withheld);
    auto is_done = [this](Visit one) { return take_answer(one); };
    pending_.erase(std::remove_if(pending_.begin(), pending_.end(), is_done), pending_.end());
    if (holders_ == nullptr) return;
    holders_->take_answers(threads_, tick_began_ns_);
    for (const LockHolders::Wait& wait : std::exchange(waits_, {})) holders_->waited(threads_, wait);
  }

  WatchedThread* find(Visit visit) {
    if (visit.slot >= watched_.size() || watched_[visit.slot].serial != visit.serial) return nullptr;
    return &watched_[visit.slot];
  }

  void visit(Visit visit) {
    WatchedThread* watched = find(visit);
    if (watched == nullptr) return;
    schedule_->again(visit);
    ThreadSlot* slot = requests_.slots() + visit.slot;
    if (WallRequests::is_unanswered(slot->wall)) return keep_waiting(*slot, watched);
    if (watched->is_asked) return;          // as a holder, in this tick
    if (!plan_.recorder->records(*slot)) {  // its time until the next sample is not counted
      pass_on(plan_, *slot, watched);
      watched->blocked = false;
      slot->wall.until_ns = now_ns();
      return;
    }
    std::optional<int64_t> cpu_ns = cpu_ns_of(slot->tid);
    if (!cpu_ns) return;
    if (watched->blocked && requests_.has_stayed(*slot, watched, *cpu_ns)) return count_stayed(visit.slot, watched);
    if (holders_ != nullptr) holders_->look(threads_, visit.slot);
    ask(visit, watched, *cpu_ns);
  }

  void ask(Visit visit, WatchedThread* watched, int64_t cpu_ns) {
    ThreadSlot* slot = requests_.slots() + visit.slot;
    pass_on(plan_, *slot, watched);
    watched->blocked = false;
    watched->is_asked = true;
    requests_.send(slot, watched, cpu_ns);
    pending_.push_back(visit);
  }

  void count_stayed(uint32_t index, WatchedThread* watched) {
    WallRequest& wall = requests_.slots()[index].wall;
    uint64_t now = now_ns();
    auto time_ns = static_cast<int64_t>(now - wall.until_ns);
    watched->repeats++;
    watched->repeated_ns += time_ns;
    wall.until_ns = now;
    if (holders_ != nullptr) holders_->still_waits(threads_, {index, now, time_ns, {}, wall.recorded});
  }

  // For LockHolders::Threads. Many may wait for one holder: one answer in a tick is enough.
  bool ask_holder(uint32_t index) {
    WatchedThread* watched = &watched_[index];
    const ThreadSlot& slot = requests_.slots()[index];
    if (watched->is_asked) return false;
    std::optional<int64_t> cpu_ns = cpu_ns_of(slot.tid);
    if (watched->answered_at_ns >= tick_began_ns_ || !cpu_ns || !plan_.recorder->records(slot)) return true;
    if (watched->blocked && requests_.has_stayed(slot, watched, *cpu_ns)) return true;
    ask({index, watched->serial}, watched, *cpu_ns);
    return false;
  }

  // The thread may have no CPU to answer on or block the signal: then the answer will have the weight of all that time.
  // Signals are lost if the kernel has no memory for the siginfo or one of the same number was pending, so another one
  // is sent. That is harmless: they are not queued.
  void keep_waiting(const ThreadSlot& slot, WatchedThread* watched) {
    constexpr int kVisitsToRepeat = 16;
    if (++watched->visits_unanswered % kVisitsToRepeat != 0) return;
    if (watched->visits_unanswered == kVisitsToRepeat)
      unresponsive_.look_at(slot.serial, slot.tid, requests_.signal(), requests_.files());
    requests_.send_signal(slot);
  }

  // True if there is no answer to wait for any more.
  bool take_answer(Visit visit) {
    WatchedThread* watched = find(visit);
    if (watched == nullptr) return true;
    const ThreadSlot& slot = requests_.slots()[visit.slot];
    if (WallRequests::is_unanswered(slot.wall)) return false;
    unresponsive_.has_answered(slot.serial);
    watched->is_asked = false;
    watched->java_thread = slot.wall.java_thread;
    watched->answered_at_ns = slot.wall.until_ns;
    ThreadState state = state_of(slot.wall.state);
    // The signal arrived between waking up and the next blocking call, which is unknown: the next visit samples again.
    bool is_uncertain = state == ThreadState::kSyscall && slot.wall.observed.number == SystemCall::kNone;
    if (is_blocked(state) && !is_uncertain) note_blocked(slot, watched);
    auto time_ns = static_cast<int64_t>(slot.wall.until_ns - watched->request_from_ns);
    watched->has_answered(state, time_ns);
    if (slot.wall.lock.is_wait() && time_ns > 0)
      waits_.push_back({visit.slot, slot.wall.until_ns, time_ns, slot.wall.lock, slot.wall.recorded});
    return true;
  }

  // Marks a thread as blocked if it is again in the same call with the same stack after its answer. Reads the clock
  // first: it shows any later run. A stack without its root may be an accident and would be repeated for hours, so it
  // must occur several times in a row first.
  void note_blocked(const ThreadSlot& slot, WatchedThread* watched) {
    constexpr int kMostDoubts = 3;
    const WallRequest& wall = slot.wall;
    if (wall.recorded.stack == StackTree::kFull || wall.call_number == SystemCall::kNone) return;
    watched->doubts = wall.recorded.whole ? 0 : std::min(watched->doubts + 1, kMostDoubts);
    if (watched->doubts > 0 && watched->doubts < kMostDoubts) return;
    std::optional<int64_t> cpu_ns = cpu_ns_of(slot.tid);
    watched->blocked =
        cpu_ns && requests_.is_where_it_answered(slot) && has_labels_of_answer(wall) && has_span_of_answer(wall);
    watched->blocked_cpu_ns = cpu_ns.value_or(0);
    watched->trusted = 0;
    if (watched->blocked && watched->request_cpu_ns != WatchedThread::kOnCpu)
      ProbeCosts::instance().answered(slot.tid, watched->request_cpu_ns, watched->blocked_cpu_ns);
  }

  EventPlan plan_;
  WallRequests requests_;
  const std::shared_ptr<LockHolders> holders_;  // null: nobody asks for them
  const int signal_;
  SamplerThread thread_;
  WithheldTime withheld_;  // used by start() and by the thread

  std::mutex mutex_;
  std::unique_ptr<TimingWheel> schedule_;
  std::vector<WatchedThread> watched_;  // by slot
  std::vector<Visit> pending_;          // with answers that are still to be read
  UnresponsiveThreads unresponsive_;
  LockHolders::Threads threads_;
  std::vector<LockHolders::Wait> waits_;  // of the answers that were read last
  uint64_t tick_began_ns_ = 0;
};

// Counts what the wall clock of the same session finds.
class HolderCounts : public EventSource {
 public:
  explicit HolderCounts(std::shared_ptr<LockHolders> holders) : holders_(std::move(holders)) {}

  std::string engine() const override { return "wall"; }
  bool follows_threads() const override { return false; }
  void start(const EventPlan& plan) override { holders_->begin(plan); }
  bool attach_thread(ThreadSlot*) override { return true; }
  int64_t detach_thread(ThreadSlot*) override { return 0; }
  int64_t cpu_ns(const ThreadSlot&) const override { return 0; }
  void disable() override { holders_->end(); }
  void stop() override {}

 private:
  const std::shared_ptr<LockHolders> holders_;
};

}  // namespace

std::shared_ptr<LockHolders> make_lock_holders(const capture::VmLayout& vm) {
  return std::make_shared<LockHolders>(vm);
}

std::unique_ptr<EventSource> make_wall_clock(const JavaThreadView& java, std::shared_ptr<LockHolders> holders,
                                             int signal) {
  return std::make_unique<WallClock>(java, std::move(holders), signal);
}

std::unique_ptr<EventSource> make_holder_counts(std::shared_ptr<LockHolders> holders) {
  return std::make_unique<HolderCounts>(std::move(holders));
}

}  // namespace hearth::events
