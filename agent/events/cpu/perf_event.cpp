#include <fcntl.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <deque>
#include <optional>
#include <random>
#include <unordered_map>

#include "base/error.h"
#include "base/formatted.h"
#include "base/owned.h"
#include "base/random.h"
#include "base/text_parts.h"
#include "events/cpu/perf_counter.h"
#include "events/deadly_calls.h"
#include "events/event_source.h"
#include "events/handlers/cpu_handlers.h"
#include "events/profiling_signal.h"
#include "events/threads/thread_clock.h"

namespace hearth::events {
namespace {

using capture::ThreadSlot;

// Size of the control page and one page of data: the handler empties it at every sample
size_t ring_bytes() {
  return 2 * static_cast<size_t>(sysconf(_SC_PAGESIZE));
}

// An interrupt takes about 30 us in a guest on a busy host. A thread that gets the next one within that time runs
// neither its handler, which would set the event's interval, nor anything else. Disabling the event until the handler
// has run is no option: PERF_EVENT_IOC_REFRESH of a CPU clock hangs Linux 6.16 and 6.17 (async-profiler, issue 1578).
constexpr int64_t kShortestPeriodNs = 100'000;

PerfCounter cpu_clock() {
  PerfCounter counter;
  counter.name = "the CPU clock";
  counter.type = PERF_TYPE_SOFTWARE;
  counter.config = PERF_COUNT_SW_CPU_CLOCK;
  return counter;
}

int open_event(const PerfCounter& counter, const PerfChoice& choice, int tid, uint64_t period) {
  perf_event_attr attr{};
  attr.size = sizeof attr;
  attr.type = counter.type;
  attr.config = counter.config;
  attr.config1 = counter.is_probe() ? reinterpret_cast<uint64_t>(counter.place->c_str()) : counter.config1;
  attr.config2 = counter.config2;
  attr.bp_type = counter.breakpoint;
  attr.sample_period = period;
  attr.sample_type = PERF_SAMPLE_CALLCHAIN;
  attr.exclude_callchain_user = 1;
  // The kernel's own accesses do not stop at a breakpoint.
  bool counts_kernel = counter.is_of_kernel || (!choice.user_code_only && counter.breakpoint == 0);
  attr.exclude_kernel = counts_kernel ? 0 : 1;
  attr.exclude_callchain_kernel = choice.user_code_only ? 1 : attr.exclude_kernel;
  attr.disabled = 1;
  attr.wakeup_events = 1;
  return static_cast<int>(syscall(SYS_perf_event_open, &attr, tid, choice.cpu, -1, PERF_FLAG_FD_CLOEXEC));
}

std::string remedy_for(int error, bool is_clock) {
  bool is_missing = error == ENOENT || error == ENODEV || error == EOPNOTSUPP;
  if (is_missing && !is_clock) {
    std::vector<std::string> here = counters_here();
    return formatted("this machine does not count it; of the usual counters it has page-faults, context-switches{}{}",
                     here.empty() ? "" : ", ", joined(here, ", "));
  }
  if (error == EINVAL && !is_clock) return "it may be counted for a CPU alone, or not be sampled at all";
  if (error == EACCES || error == EPERM)
    return "sysctl kernel.perf_event_paranoid=1 and kernel.kptr_restrict=0, or CAP_PERFMON, or a seccomp profile that "
           "allows perf_event_open in the container";
  if (error == EMFILE || error == ENFILE) return "raise the limit of open files (ulimit -n)";
  return "";
}

class PerfEvent : public EventSource {
 public:
  // The thread's clock goes on where the event of one CPU does not count.
  PerfEvent(const PerfCounter& counter, const PerfChoice& choice, bool is_clock)
      : counter_(counter), choice_(choice), shortest_period_(is_clock ? kShortestPeriodNs : 1) {
    sampling_.is_clock = is_clock && choice.cpu < 0;
    sampling_.records_cpu = choice.records_cpu;
  }
  std::string engine() const override { return "perf_events"; }
  bool follows_threads() const override { return true; }

  void start(const EventPlan& plan) override {
    refuse_deadly({SYS_perf_event_open}, "perf_event_open");
    UniqueFd probe(open_event(counter_, choice_, 0, static_cast<uint64_t>(plan.interval)));
    if (!probe)
      throw Error(formatted("perf_event_open refused {}{}{} ({})", counter_.name,
                            choice_.cpu < 0 ? "" : formatted(" of CPU {}", choice_.cpu),
                            choice_.user_code_only ? "" : " with kernel stacks", std::strerror(errno)),
                  remedy_for(errno, sampling_.is_clock));
    constexpr size_t kBytes = CpuSampling::kMaxFd * sizeof(std::atomic<PerfThread*>);
    by_fd_ = Mapping::reserved(kBytes);
    if (!by_fd_) throw Error(formatted("no memory for the thread table ({})", std::strerror(errno)));
    rlimit files{};
    getrlimit(RLIMIT_NOFILE, &files);
    highest_fd_ = static_cast<int>(std::min<rlim_t>(files.rlim_cur / 4 * 3, CpuSampling::kMaxFd));
    signal_.take(sampling_.is_clock ? kPerfClockHandler : kPerfCounterHandler, choice_.signal);
    sampling_.recorder = plan.recorder;
    sampling_.event = plan.event;
    sampling_.interval = plan.interval;
    sampling_.thread_of_fd = by_fd_.as<std::atomic<PerfThread*>>();
    publish(signal_.number(), &sampling_);
  }

  bool attach_thread(ThreadSlot* slot) override {
    int64_t first = first_period();
    UniqueFd fd(open_event(counter_, choice_, slot->tid, static_cast<uint64_t>(first)));
    if (!fd) {
      if (errno != ESRCH) trouble_ = formatted("a thread could not be followed ({})", std::strerror(errno));
      return false;
    }
    if (fd.get() >= highest_fd_) {
      trouble_ =
          "some threads are not followed: a quarter of the open files is reserved for the application; raise ulimit -n";
      return false;
    }
    // Without a ring (RLIMIT_MEMLOCK) only kernel frames are missing.
    Mapping ring(mmap(nullptr, ring_bytes(), PROT_READ | PROT_WRITE, MAP_SHARED, fd.get(), 0), ring_bytes());
    if (!ring && trouble_.empty())
      trouble_ = formatted("some threads have no kernel frames: their perf buffer was refused ({}); raise ulimit -l",
                           std::strerror(errno));
    auto thread = std::make_unique<PerfThread>();
    thread->slot = slot;
    thread->kernel_ring = std::move(ring);
    f_owner_ex owner = {F_OWNER_TID, slot->tid};
    if (fcntl(fd.get(), F_SETFL, O_ASYNC) != 0 || fcntl(fd.get(), F_SETSIG, signal_.number()) != 0 ||
        fcntl(fd.get(), F_SETOWN_EX, &owner) != 0)
      return false;
    if (sampling_.is_clock) thread->began_ns = cpu_ns_of(slot->tid).value_or(0);
    // A counter's first sample stands for a whole interval, also for those of threads that end before theirs.
    thread->last_count = sampling_.is_clock ? thread->began_ns : first - sampling_.interval;
    thread->period = first;
    thread->fd = std::move(fd);
    PerfThread* followed = (threads_[slot] = std::move(thread)).get();
    sampling_.thread_of_fd[followed->fd.get()].store(followed, std::memory_order_release);
    ioctl(followed->fd.get(), PERF_EVENT_IOC_ENABLE, 0);
    return true;
  }

  int64_t detach_thread(ThreadSlot* slot) override {
    auto found = threads_.find(slot);
    if (found == threads_.end()) return 0;
    PerfThread* thread = found->second.get();
    ioctl(thread->fd.get(), PERF_EVENT_IOC_DISABLE, 0);
    int64_t used = cpu_ns(*slot);
    sampling_.thread_of_fd[thread->fd.get()].store(nullptr, std::memory_order_release);
    end_signals(thread->fd.get());
    thread->fd.reset();
    retire(std::move(found->second));
    threads_.erase(found);
    return used;
  }

  int64_t cpu_ns(const ThreadSlot& slot) const override {
    auto found = threads_.find(&slot);
    if (found == threads_.end() || !sampling_.is_clock) return 0;
    std::optional<int64_t> now = cpu_ns_of(slot.tid);
    if (now) return *now - found->second->began_ns;
    // The clock of a thread that has ended is gone; the event's own count is complete, and includes stolen time.
    return static_cast<int64_t>(perf_count(found->second->fd.get()));
  }

  void disable() override { publish(signal_.number(), nullptr); }
  void stop() override {
    signal_.release();
    retired_.clear();
  }

  std::string trouble() const override { return trouble_; }

 private:
  int64_t first_period() {
    std::uniform_int_distribution<int64_t> any(shortest_period_, std::max(shortest_period_, sampling_.interval));
    return any(random_);
  }

  // Another CPU may still have to send the signal of an overflow (kernel/events/core.c, perf_pending_irq), and close()
  // does not wait for it while the ring is mapped. Sent after release(), it would end the process. Without O_ASYNC
  // nothing is sent any more.
  static void end_signals(int fd) { fcntl(fd, F_SETFL, 0); }

  // A thread that another one detaches, as one of hearth's commands, may be in its handler. Its state and ring stay
  // until as many more threads have gone.
  void retire(std::unique_ptr<PerfThread> thread) {
    constexpr size_t kKept = 64;
    retired_.push_back(std::move(thread));
    if (retired_.size() > kKept) retired_.pop_front();
  }

  const PerfCounter counter_;
  const PerfChoice choice_;
  const int64_t shortest_period_;
  ProfilingSignal signal_;
  Mapping by_fd_;
  int highest_fd_ = 0;
  CpuSampling sampling_;
  std::unordered_map<const ThreadSlot*, std::unique_ptr<PerfThread>> threads_;
  std::deque<std::unique_ptr<PerfThread>> retired_;
  std::minstd_rand random_{random_seed()};
  std::string trouble_;
};

}  // namespace

std::unique_ptr<EventSource> make_cpu_perf_event(const PerfChoice& choice) {
  return std::make_unique<PerfEvent>(cpu_clock(), choice, true);
}

std::unique_ptr<EventSource> make_perf_counter(const PerfCounter& counter, bool user_code_only) {
  PerfChoice choice;
  choice.user_code_only = user_code_only;
  return std::make_unique<PerfEvent>(counter, choice, false);
}

}  // namespace hearth::events
