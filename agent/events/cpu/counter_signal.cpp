#include "events/cpu/counter_signal.h"

#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "base/formatted.h"
#include "events/handlers/perf_reads.h"

namespace hearth::events {

CounterSignal& CounterSignal::shared() {
  static auto* signal = new CounterSignal;  // handlers may run when static objects are gone
  return *signal;
}

void CounterSignal::begin(int chosen) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (users_ == 0) {
    constexpr size_t kBytes = kMaxPerfFds * sizeof(std::atomic<CounterThread*>);
    if (!by_fd_) by_fd_ = Mapping::reserved(kBytes);
    if (!by_fd_) throw Error(formatted("no memory for the thread table ({})", std::strerror(errno)));
    signal_.take(kPerfCounterHandler, chosen);
    room_.thread_of_fd = by_fd_.as<std::atomic<CounterThread*>>();
    publish_counters(&room_);
  }
  ++users_;
}

void CounterSignal::end() {
  std::lock_guard<std::mutex> lock(mutex_);
  // A handler may just have met a thread of this source.
  publish_counters(nullptr);
  if (--users_ > 0) return publish_counters(&room_);
  signal_.release();
  groups_.clear();
}

bool CounterSignal::add(CounterThread* thread, int tid) {
  std::lock_guard<std::mutex> lock(mutex_);
  std::weak_ptr<CounterGroup>& known = groups_[tid];
  std::shared_ptr<CounterGroup> group = known.lock();
  if (!group) {
    group = std::make_shared<CounterGroup>();
    group->tid = tid;
    known = group;
  }
  thread->group = group;
  for (std::atomic<CounterThread*>& member : group->members) {
    if (member.load(std::memory_order_relaxed) != nullptr) continue;
    member.store(thread, std::memory_order_release);
    room_.thread_of_fd[thread->fd.get()].store(thread, std::memory_order_release);
    return true;
  }
  return false;
}

void CounterSignal::remove(CounterThread* thread) {
  std::lock_guard<std::mutex> lock(mutex_);
  room_.thread_of_fd[thread->fd.get()].store(nullptr, std::memory_order_release);
  bool is_last = true;
  for (std::atomic<CounterThread*>& member : thread->group->members) {
    if (member.load(std::memory_order_relaxed) == thread) member.store(nullptr, std::memory_order_release);
    is_last = is_last && member.load(std::memory_order_relaxed) == nullptr;
  }
  if (is_last) groups_.erase(thread->group->tid);
}

void CounterSignal::mute(CounterSampling* sampling) {
  std::lock_guard<std::mutex> lock(mutex_);
  sampling->is_muted.store(true, std::memory_order_seq_cst);
  // Handlers leave at once while there is no room. What they miss is in the weight of the next sample.
  publish_counters(nullptr);
  publish_counters(&room_);
}

}  // namespace hearth::events
