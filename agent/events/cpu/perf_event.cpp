// CPU time by the clock of perf_events, weighted by the thread's own.
#include <linux/perf_event.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <random>
#include <unordered_map>

#include "base/error.h"
#include "base/formatted.h"
#include "base/owned.h"
#include "base/random.h"
#include "events/cpu/perf_attr.h"
#include "events/event_source.h"
#include "events/handlers/cpu_handlers.h"
#include "events/handlers/perf_reads.h"
#include "events/profiling_signal.h"
#include "events/threads/thread_clock.h"

namespace hearth::events {
namespace {

using capture::ThreadSlot;

PerfCounter cpu_clock() {
  return {"the CPU clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK};
}

class PerfClock : public EventSource {
 public:
  explicit PerfClock(const PerfChoice& choice) : opener_(cpu_clock(), choice), chosen_signal_(choice.signal) {
    sampling_.records_cpu = choice.records_cpu;
  }
  std::string engine() const override { return kPerfEngine; }
  bool follows_threads() const override { return true; }

  void start(const EventPlan& plan) override {
    opener_.probe(plan.interval);
    constexpr size_t kBytes = kMaxPerfFds * sizeof(std::atomic<PerfThread*>);
    by_fd_ = Mapping::reserved(kBytes);
    if (!by_fd_) throw Error(formatted("no memory for the thread table ({})", std::strerror(errno)));
    signal_.take(kPerfClockHandler, chosen_signal_);
    sampling_.recorder = plan.recorder;
    sampling_.event = plan.event;
    sampling_.interval = plan.interval;
    sampling_.thread_of_fd = by_fd_.as<std::atomic<PerfThread*>>();
    publish(signal_.number(), &sampling_);
  }

  bool attach_thread(ThreadSlot* slot) override {
    std::uniform_int_distribution<int64_t> any(kShortestPerfPeriodNs,
                                               std::max(kShortestPerfPeriodNs, sampling_.interval));
    std::optional<PerfOpener::Opened> opened = opener_.open(slot->tid, any(random_), signal_.number());
    if (!opened) return false;
    auto thread = std::make_unique<PerfThread>();
    thread->slot = slot;
    thread->kernel_ring = std::move(opened->kernel_ring);
    thread->last_count = thread->began_ns = cpu_ns_of(slot->tid).value_or(0);
    thread->fd = std::move(opened->fd);
    PerfThread* followed = (threads_[slot] = std::move(thread)).get();
    sampling_.thread_of_fd[followed->fd.get()].store(followed, std::memory_order_release);
    enable_event(followed->fd.get());
    return true;
  }

  int64_t detach_thread(ThreadSlot* slot) override {
    auto found = threads_.find(slot);
    if (found == threads_.end()) return 0;
    PerfThread* thread = found->second.get();
    end_event(thread->fd.get());
    int64_t used = cpu_ns(*slot);
    sampling_.thread_of_fd[thread->fd.get()].store(nullptr, std::memory_order_release);
    thread->fd.reset();
    retired_.add(std::move(found->second));
    threads_.erase(found);
    return used;
  }

  int64_t cpu_ns(const ThreadSlot& slot) const override {
    auto found = threads_.find(&slot);
    if (found == threads_.end()) return 0;
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

  std::string trouble() const override { return opener_.trouble(); }

 private:
  PerfOpener opener_;
  const int chosen_signal_;
  ProfilingSignal signal_;
  Mapping by_fd_;
  CpuSampling sampling_;
  std::unordered_map<const ThreadSlot*, std::unique_ptr<PerfThread>> threads_;
  RetiredThreads<PerfThread> retired_;
  std::minstd_rand random_{random_seed()};
};

}  // namespace

std::unique_ptr<EventSource> make_cpu_perf_event(const PerfChoice& choice) {
  // The thread's clock goes on where the event of one CPU does not count.
  if (choice.cpu >= 0) return make_perf_counter(cpu_clock(), choice, kShortestPerfPeriodNs);
  return std::make_unique<PerfClock>(choice);
}

}  // namespace hearth::events
