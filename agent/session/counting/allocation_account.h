// Counts the bytes that each profiled Java thread allocated while a session ran, by the JVM's own counters. Thread
// safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "options/thread_filter.h"
#include "session/counting/living_threads.h"

namespace hearth::session {

class AllocationAccount {
 public:
  // The least number of ended threads with an entry of their own: those with the most bytes.
  static constexpr size_t kEndedKept = 256;
  static constexpr const char* kOtherEnded = "other ended threads";

  // `filter` outlives the account. It decides by the name that a thread has when it is counted.
  explicit AllocationAccount(const options::ThreadFilter* filter) : filter_(filter) {}

  // Lists the living threads. Listing takes time, so the account needs the starts and ends of threads meanwhile, also
  // before begin() returns. begin(), end() and by_thread() are called one at a time.
  using Lister = std::function<std::vector<LivingThread>()>;

  void begin(const Lister& living);
  // Reports a new thread, which may have the tid of an ended one.
  void thread_started(int tid);
  // Called while the thread exists; the JVM lists it a little longer. Ignored before begin() and after end().
  void thread_ended(const LivingThread& thread);
  // Ignores allocations from now on.
  void end(const Lister& living);

  // Bytes by "NAME tid=TID", with one sum for the other ended threads. Leaves out threads without allocations.
  std::map<std::string, uint64_t> by_thread(const Lister& living) const;

 private:
  std::vector<LivingThread> list(const Lister& living, std::unique_lock<std::mutex>* lock) const;
  void add(const LivingThread& thread, std::map<std::string, uint64_t>* sums) const;
  void add_living(const std::vector<LivingThread>& living, std::map<std::string, uint64_t>* sums) const;
  bool has_ended(int tid) const;
  void mark_ended(int tid, bool ended);
  void keep_largest();

  const options::ThreadFilter* filter_;
  mutable std::mutex mutex_;
  std::unordered_map<int, int64_t> before_;  // by tid, of the threads that lived at begin()
  std::map<std::string, uint64_t> ended_;
  uint64_t other_ended_ = 0;            // bytes of threads that have left ended_
  std::vector<bool> ended_tids_;        // by tid; the kernel has at most 4 million
  bool counts_ = false;                 // between begin() and end()
  mutable std::set<int> came_or_went_;  // tids that started or ended since the last listing began
  mutable bool lists_ = false;
};

}  // namespace hearth::session
