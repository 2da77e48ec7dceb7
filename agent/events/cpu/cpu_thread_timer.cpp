#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <optional>
#include <random>
#include <unordered_map>

#include "base/error.h"
#include "base/formatted.h"
#include "base/random.h"
#include "events/deadly_calls.h"
#include "events/event_source.h"
#include "events/handlers/cpu_handlers.h"
#include "events/handlers/current_tid.h"
#include "events/profiling_signal.h"
#include "events/threads/thread_clock.h"

namespace hearth::events {
namespace {

using capture::ThreadSlot;

timespec spec_of(int64_t ns) {
  return {static_cast<time_t>(ns / 1'000'000'000), static_cast<long>(ns % 1'000'000'000)};
}

// The kernel's own timer calls: glibc's timer_create maintains a list for a helper thread, which is not needed.
using KernelTimer = int;

bool create_timer(int tid, int signal, uint64_t value, KernelTimer* timer) {
  sigevent event{};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = signal;
  event.sigev_value.sival_ptr = reinterpret_cast<void*>(value);
  event._sigev_un._tid = tid;
  return syscall(SYS_timer_create, cpu_clock_of(tid), &event, timer) == 0;
}

class CpuThreadTimer : public EventSource {
 public:
  explicit CpuThreadTimer(int signal) : chosen_signal_(signal) {}
  std::string engine() const override { return "ctimer"; }
  bool follows_threads() const override { return true; }

  void start(const EventPlan& plan) override {
    refuse_deadly({SYS_timer_create, SYS_timer_settime, SYS_timer_delete}, "timer_create");
    signal_.take(kThreadTimerHandler, chosen_signal_);
    KernelTimer probe = 0;
    if (!create_timer(current_tid(), signal_.number(), 0, &probe)) {
      int error = errno;
      signal_.release();
      throw Error(formatted("timer_create refused a thread CPU timer ({})", std::strerror(error)), "use event=itimer");
    }
    syscall(SYS_timer_delete, probe);
    interval_ns_ = plan.interval;
    sampling_.recorder = plan.recorder;
    sampling_.event = plan.event;
    sampling_.interval = plan.interval;
    sampling_.slots = plan.registry->slots();
    publish(signal_.number(), &sampling_);
  }

  bool attach_thread(ThreadSlot* slot) override {
    int64_t now = cpu_ns_of(slot->tid).value_or(0);
    slot->last_count = static_cast<uint64_t>(now);
    Followed followed = {0, now};
    if (!create_timer(slot->tid, signal_.number(),
                      sampling_.number << 32 | static_cast<uint64_t>(slot - sampling_.slots), &followed.timer)) {
      if (errno != EINVAL && errno != ESRCH)
        trouble_ = formatted("a thread could not be followed ({})", std::strerror(errno));
      return false;
    }
    itimerspec schedule = {spec_of(interval_ns_), spec_of(first_period())};
    if (syscall(SYS_timer_settime, followed.timer, 0, &schedule, nullptr) != 0) {
      syscall(SYS_timer_delete, followed.timer);
      return false;
    }
    followed_[slot] = followed;
    return true;
  }

  int64_t detach_thread(ThreadSlot* slot) override {
    auto found = followed_.find(slot);
    if (found == followed_.end()) return 0;
    syscall(SYS_timer_delete, found->second.timer);
    // A thread that has ended has no clock any more: the last sample's reading is the best known one.
    int64_t now = cpu_ns_of(slot->tid).value_or(static_cast<int64_t>(slot->last_count));
    int64_t used = now - found->second.began;
    followed_.erase(found);
    return used;
  }

  int64_t cpu_ns(const ThreadSlot& slot) const override {
    auto found = followed_.find(&slot);
    std::optional<int64_t> now = cpu_ns_of(slot.tid);
    return found == followed_.end() || !now ? 0 : *now - found->second.began;
  }

  void disable() override { publish(signal_.number(), nullptr); }
  void stop() override { signal_.release(); }

  std::string trouble() const override { return trouble_; }

 private:
  struct Followed {
    KernelTimer timer;
    int64_t began;
  };

  int64_t first_period() {
    std::uniform_int_distribution<int64_t> any(1, interval_ns_);
    return any(random_);
  }

  const int chosen_signal_;
  int64_t interval_ns_ = 0;
  ProfilingSignal signal_;
  CpuSampling sampling_;
  std::minstd_rand random_{random_seed()};
  std::unordered_map<const ThreadSlot*, Followed> followed_;
  std::string trouble_;
};

}  // namespace

std::unique_ptr<EventSource> make_cpu_thread_timer(int signal) {
  return std::make_unique<CpuThreadTimer>(signal);
}

}  // namespace hearth::events
