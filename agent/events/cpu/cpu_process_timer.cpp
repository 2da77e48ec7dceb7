#include <sys/syscall.h>
#include <sys/time.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>

#include "base/error.h"
#include "base/formatted.h"
#include "events/deadly_calls.h"
#include "events/handlers/cpu_handlers.h"
#include "events/profiling_signal.h"
#include "events/self_sampling_source.h"
#include "events/threads/thread_clock.h"

namespace hearth::events {
namespace {

// One timer for the whole process; the kernel chooses the thread that gets the signal. Follows threads only to
// distinguish wanted ones.
class CpuProcessTimer : public SelfSamplingSource {
 public:
  std::string engine() const override { return "itimer"; }
  bool follows_threads() const override { return sampling_.some_threads; }

  void start(const EventPlan& plan) override {
    constexpr const char* kWayOut = "stop another session, or the other profiler in this process";
    refuse_deadly({SYS_getitimer, SYS_setitimer}, "setitimer");
    itimerval running{};
    if (getitimer(ITIMER_PROF, &running) == 0 && (running.it_value.tv_sec != 0 || running.it_value.tv_usec != 0))
      throw Error("the process has a running ITIMER_PROF already", kWayOut);
    // setitimer supports no other signal.
    signal_.take_only(SIGPROF, kProcessTimerHandler, kWayOut);
    sampling_.recorder = plan.recorder;
    sampling_.event = plan.event;
    sampling_.interval = plan.interval;
    sampling_.some_threads = plan.some_threads;
    find_slots(plan, SlotSearch::kAdopt);
    sampling_.process_cpu_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
    publish(signal_.number(), &sampling_);
    set_timer(plan.interval);
  }

  void disable() override {
    set_timer(0);
    publish(signal_.number(), nullptr);
  }
  void stop() override { signal_.release(); }

 private:
  SlotsByThread& slots() override { return sampling_.slots_by_thread; }
  static void set_timer(int64_t ns) {
    timeval period = {static_cast<time_t>(ns / 1'000'000'000), static_cast<suseconds_t>(ns % 1'000'000'000 / 1000)};
    itimerval timer = {period, period};
    setitimer(ITIMER_PROF, &timer, nullptr);
  }

  ProfilingSignal signal_;
  CpuSampling sampling_;
};

}  // namespace

std::unique_ptr<EventSource> make_cpu_process_timer() {
  return std::make_unique<CpuProcessTimer>();
}

}  // namespace hearth::events
