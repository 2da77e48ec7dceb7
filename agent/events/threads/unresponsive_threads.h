// Threads that do not answer the wall clock's signal, and the reasons, as far as the kernel shows them while the thread
// lives. One thread at a time.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "events/threads/task_files.h"

namespace hearth::events {

class UnresponsiveThreads {
 public:
  // Examines a thread that has not answered `signal` for long.
  void look_at(uint32_t serial, int tid, int signal, const TaskFiles& files);
  void has_answered(uint32_t serial) {
    if (!reasons_.empty()) reasons_.erase(serial);
  }
  // Counts a thread that is followed no more and has an unanswered request.
  void left(uint32_t serial);

  // Returns one line, or "". `refused`: signals that were no request to their thread.
  std::string trouble(uint32_t refused) const;

 private:
  std::unordered_map<uint32_t, std::string> reasons_;  // by serial
  int count_ = 0;                                      // threads with an unanswered request at their end
  std::string first_;
};

}  // namespace hearth::events
