// How many bytes each Java thread allocated while a session ran, by the JVM's own counters. Thread safe.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "capture/unwind/vm_layout.h"
#include "session/living_threads.h"

namespace hearth::session {

class AllocationAccount {
 public:
  // `layout` outlives the account. Where it is not known nothing is counted.
  explicit AllocationAccount(const capture::AllocationLayout* layout) : layout_(layout) {}

  void begin(const std::vector<LivingThread>& living);
  // While the thread still is.
  void thread_ended(const LivingThread& thread);
  // What the threads that live now have allocated from now on is not counted.
  void end(const std::vector<LivingThread>& living);

  // Bytes by "NAME tid=TID"; threads without any are left out. Until end() `living` are those that live now.
  std::map<std::string, uint64_t> by_thread(const std::vector<LivingThread>& living) const;

 private:
  void add(const LivingThread& thread, std::map<std::string, uint64_t>* sums) const;

  const capture::AllocationLayout* layout_;
  mutable std::mutex mutex_;
  std::unordered_map<int, int64_t> before_;  // by tid, of those that lived at the beginning
  std::map<std::string, uint64_t> ended_;
  bool is_closed_ = false;
};

}  // namespace hearth::session
