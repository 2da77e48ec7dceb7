// Threads that do not answer the wall clock's signal: why, as far as the kernel tells while they are there. One thread
// at a time.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "events/threads/task_files.h"

namespace hearth::events {

class UnansweredThreads {
 public:
  // Of a thread that has not answered `signal` for long.
  void look_at(uint32_t serial, int tid, int signal, const TaskFiles& files);
  void has_answered(uint32_t serial) {
    if (!reasons_.empty()) reasons_.erase(serial);
  }
  // Followed no more, and what was asked last is not answered.
  void left(uint32_t serial);

  // One line, or "". `refused`: signals that came and were no question to their thread.
  std::string trouble(uint32_t refused) const;

 private:
  std::unordered_map<uint32_t, std::string> reasons_;  // by serial
  int count_ = 0;                                      // of those that left
  std::string first_;
};

}  // namespace hearth::events
