#include "events/vm/collection_cost.h"

#include <algorithm>
#include <atomic>
#include <ctime>
#include <string_view>

#include "events/threads/thread_clock.h"
#include "events/threads/thread_follower.h"

namespace hearth::events {
namespace {

// Never reset: live objects store the count at their allocation.
std::atomic<uint64_t> g_pauses{0};
std::atomic<int64_t> g_pause_ns{0};
std::atomic<int64_t> g_pause_cpu_ns{0};
std::atomic<int64_t> g_last_pause_ns{0};
// The last pauses, by their number: written while the JVM is stopped, by one thread at a time.
constexpr size_t kKeptPauses = 1024;
struct KeptPause {
  std::atomic<uint64_t> number{0};  // 0: is being written
  std::atomic<int64_t> began_ns{0}, duration_ns{0};
};
KeptPause g_kept[kKeptPauses];
// Of the current collection: there is one at a time, and it begins and ends on one thread.
std::atomic<int64_t> g_began_ns{0};
std::atomic<int64_t> g_began_cpu_ns{0};

// The JVM is stopped: it must not be called.
void JNICALL on_start(jvmtiEnv*) {
  g_began_cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
  g_began_ns = clock_ns(CLOCK_MONOTONIC);
}

void JNICALL on_finish(jvmtiEnv*) {
  int64_t began = g_began_ns.exchange(0);
  if (began == 0) return;
  int64_t ended = clock_ns(CLOCK_MONOTONIC);
  uint64_t number = g_pauses + 1;
  KeptPause& kept = g_kept[number % kKeptPauses];
  kept.number = 0;
  kept.began_ns = began;
  kept.duration_ns = ended - began;
  kept.number = number;
  g_pauses = number;
  g_last_pause_ns = ended;
  g_pause_ns += ended - began;
  g_pause_cpu_ns += clock_ns(CLOCK_THREAD_CPUTIME_ID) - g_began_cpu_ns;
}

// True for the thread names of HotSpot's collectors, cut by the kernel to 15 characters.
bool is_collector(std::string_view thread) {
  constexpr std::string_view kNames[] = {"GC Thread#", "GC task thread#", "G1 ",   "ZDirector",  "ZDriver",
                                         "ZWorker",    "ZUncommitter",    "ZStat", "Shenandoah", "Concurrent Mark"};
  return std::any_of(std::begin(kNames), std::end(kNames),
                     [&](std::string_view name) { return thread.substr(0, name.size()) == name; });
}

int64_t collectors_cpu_ns() {
  int64_t sum = 0;
  for (int tid : tasks_of_process()) {
    if (is_collector(name_of_task(tid))) sum += cpu_ns_of(tid).value_or(0);
  }
  return sum;
}

}  // namespace

void CollectionCost::start(JavaVM* java_vm) {
  g_began_ns = 0;
  before_ = {g_pauses, g_pause_ns, g_pause_cpu_ns, clock_ns(CLOCK_PROCESS_CPUTIME_ID)};
  threads_cpu_before_ns_ = collectors_cpu_ns();
  runs_ = true;
  events_ = std::make_unique<CollectionEvents>(java_vm, on_start, on_finish);
}

void CollectionCost::stop() {
  if (!runs_) return;
  last_ = figures();
  runs_ = false;
  events_.reset();
}

uint64_t CollectionCost::pauses_so_far() {
  return g_pauses;
}

std::vector<CollectionCost::Pause> CollectionCost::pauses_after(uint64_t seen) {
  std::vector<Pause> pauses;
  uint64_t last = g_pauses;
  for (uint64_t number = last - std::min<uint64_t>(last - std::min(seen, last), kKeptPauses) + 1; number <= last;
       ++number) {
    const KeptPause& kept = g_kept[number % kKeptPauses];
    Pause pause = {number, kept.began_ns, kept.duration_ns};
    if (kept.number == number) pauses.push_back(pause);  // else a newer one has its place
  }
  return pauses;
}

int64_t CollectionCost::last_pause_ns() {
  return g_last_pause_ns;
}

CollectionCost::Figures CollectionCost::figures() const {
  if (!runs_) return last_;
  int64_t threads = std::max<int64_t>(collectors_cpu_ns() - threads_cpu_before_ns_, 0);
  return {last_.pauses + g_pauses - before_.pauses, last_.pause_ns + g_pause_ns - before_.pause_ns,
          last_.cpu_ns + threads + g_pause_cpu_ns - before_.cpu_ns,
          last_.process_cpu_ns + clock_ns(CLOCK_PROCESS_CPUTIME_ID) - before_.process_cpu_ns};
}

}  // namespace hearth::events
