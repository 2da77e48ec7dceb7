// Events that the kernel or the processor counts for a thread.
#include <algorithm>
#include <optional>
#include <random>
#include <unordered_map>

#include "base/formatted.h"
#include "base/random.h"
#include "events/cpu/counter_signal.h"
#include "events/cpu/perf_attr.h"
#include "events/event_source.h"

namespace hearth::events {
namespace {

using capture::ThreadSlot;

class CounterSource : public EventSource {
 public:
  CounterSource(const PerfCounter& counter, const PerfChoice& choice, int64_t shortest_period)
      : opener_(counter, choice), chosen_signal_(choice.signal), shortest_period_(shortest_period) {
    sampling_.records_cpu = choice.records_cpu;
  }
  std::string engine() const override { return kPerfEngine; }
  bool follows_threads() const override { return true; }

  void start(const EventPlan& plan) override {
    opener_.probe(plan.interval);
    sampling_.recorder = plan.recorder;
    sampling_.event = plan.event;
    sampling_.interval = plan.interval;
    signal_.begin(chosen_signal_);
  }

  bool attach_thread(ThreadSlot* slot) override {
    std::uniform_int_distribution<int64_t> any(shortest_period_, std::max(shortest_period_, sampling_.interval));
    int64_t first = any(random_);
    std::optional<PerfOpener::Opened> opened = opener_.open(slot->tid, first, signal_.number());
    if (!opened) return false;
    auto thread = std::make_unique<CounterThread>();
    thread->sampling = &sampling_;
    thread->slot = slot;
    thread->kernel_ring = std::move(opened->kernel_ring);
    thread->fd = std::move(opened->fd);
    // The first sample stands for a whole interval, also for those of threads that end before theirs.
    thread->last_count = first - sampling_.interval;
    thread->period = first;
    if (!signal_.add(thread.get(), slot->tid)) {
      has_full_group_ = true;
      return false;
    }
    int fd = thread->fd.get();
    threads_[slot] = std::move(thread);
    enable_event(fd);
    return true;
  }

  int64_t detach_thread(ThreadSlot* slot) override {
    auto found = threads_.find(slot);
    if (found == threads_.end()) return 0;
    CounterThread* thread = found->second.get();
    end_event(thread->fd.get());
    signal_.remove(thread);
    thread->fd.reset();
    retired_.add(std::move(found->second));
    threads_.erase(found);
    return 0;
  }

  int64_t cpu_ns(const ThreadSlot&) const override { return 0; }
  void disable() override {
    retired_.keep_all();
    signal_.mute(&sampling_);
  }
  void stop() override {
    signal_.end();
    retired_.clear();
  }
  std::string trouble() const override {
    return has_full_group_ ? formatted("some threads are not followed: they have {} counters", CounterGroup::kMost)
                           : opener_.trouble();
  }

 private:
  PerfOpener opener_;
  const int chosen_signal_;
  const int64_t shortest_period_;
  CounterSignal& signal_ = CounterSignal::shared();
  CounterSampling sampling_;
  std::unordered_map<const ThreadSlot*, std::unique_ptr<CounterThread>> threads_;
  RetiredThreads<CounterThread> retired_;
  bool has_full_group_ = false;
  std::minstd_rand random_{random_seed()};
};

}  // namespace

std::unique_ptr<EventSource> make_perf_counter(const PerfCounter& counter, const PerfChoice& choice,
                                               int64_t shortest_period) {
  return std::make_unique<CounterSource>(counter, choice, shortest_period);
}

}  // namespace hearth::events
