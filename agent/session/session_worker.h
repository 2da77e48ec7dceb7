// The thread of a session that does its periodic work.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <vector>

#include "base/bounded_thread.h"
#include "base/log.h"

namespace hearth::session {

class SessionWorker {
 public:
  static constexpr uint64_t kNever = UINT64_MAX;

  struct Task {
    uint64_t due_ns;                            // CLOCK_MONOTONIC; 0: at once
    std::function<uint64_t(uint64_t now)> run;  // returns when it is due next
  };
  // Called on the worker's thread as its first and as its last action, with its tid.
  struct Hooks {
    std::function<void(int tid)> on_begin;
    std::function<void(int tid)> on_end;
  };

  // `log` outlives the worker. Looks for due tasks once in each period.
  SessionWorker(Log* log, std::chrono::milliseconds period) : log_(log), period_(period) {}

  // Tasks run in their order. A task that throws is logged and tried again in the next period, as are those behind it.
  // Throws Error with the remedy when no thread can be made.
  void start(std::vector<Task> tasks, Hooks hooks);

  // Ends the thread after the current round. False: the JVM ends (`vm_ends`), and the thread waits for it, perhaps
  // permanently: the worker and everything that its tasks use must stay.
  bool end(const std::atomic<bool>& vm_ends);

  int64_t cpu_ns() const { return cpu_ns_; }  // CPU time of the thread

 private:
  void work();
  void run_due_tasks();

  Log* log_;
  const std::chrono::milliseconds period_;
  std::vector<Task> tasks_;
  Hooks hooks_;
  BoundedThread thread_;
  std::mutex mutex_;  // guards ends_
  std::condition_variable wake_;
  bool ends_ = false;
  std::atomic<int64_t> cpu_ns_{0};
};

}  // namespace hearth::session
