// How many bytes each Java thread that is profiled allocated while a session ran, by the JVM's own counters. Thread
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

#include "events/thread_filter.h"
#include "session/living_threads.h"

namespace hearth::session {

class AllocationAccount {
 public:
  // Of the ended threads so many at least are told apart, those with the most bytes.
  static constexpr size_t kEndedKept = 256;
  static constexpr const char* kOtherEnded = "other ended threads";

  // `filter` outlives the account. A thread is accepted or not by the name that it has when it is counted.
  explicit AllocationAccount(const events::ThreadFilter* filter) : filter_(filter) {}

  // Lists the threads that live. That takes a while, so the account must hear of those that come and go meanwhile, also
  // before begin() returns. begin(), end() and by_thread() come one at a time.
  using Lister = std::function<std::vector<LivingThread>()>;

  void begin(const Lister& living);
  // A new one, which may have the tid of one that ended.
  void thread_started(int tid);
  // While the thread still is; the JVM lists it a moment longer. Not counted before begin() and after end().
  void thread_ended(const LivingThread& thread);
  // What the threads that live now have allocated from now on is not counted.
  void end(const Lister& living);

  // Bytes by "NAME tid=TID", and of the other ended threads together; threads without any are left out.
  std::map<std::string, uint64_t> by_thread(const Lister& living) const;

 private:
  std::vector<LivingThread> list(const Lister& living, std::unique_lock<std::mutex>* lock) const;
  void add(const LivingThread& thread, std::map<std::string, uint64_t>* sums) const;
  void add_living(const std::vector<LivingThread>& living, std::map<std::string, uint64_t>* sums) const;
  bool has_ended(int tid) const;
  void mark_ended(int tid, bool ended);
  void keep_largest();

  const events::ThreadFilter* filter_;
  mutable std::mutex mutex_;
  std::unordered_map<int, int64_t> before_;  // by tid, of those that lived at the beginning
  std::map<std::string, uint64_t> ended_;
  uint64_t other_ended_ = 0;            // bytes of those that are no longer in ended_
  std::vector<bool> ended_tids_;        // by tid, of which the kernel has 4 million at most
  bool counts_ = false;                 // between begin() and end()
  mutable std::set<int> came_or_went_;  // the tids of threads that did since the last listing began
  mutable bool lists_ = false;
};

}  // namespace hearth::session
