// A thread that is waited for without a bound while the JVM runs, and with one when it ends: a JVM that waits in
// VMDeath ignores SIGTERM. Its creator's calls come one at a time.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

namespace hearth {

class BoundedThread {
 public:
  BoundedThread() = default;
  BoundedThread(const BoundedThread&) = delete;
  BoundedThread& operator=(const BoundedThread&) = delete;

  // Call it when no thread runs. The thread takes no signals. Throws std::system_error when none can be made.
  void start(std::function<void()> work);

  // Waits until `work` has returned. False: `vm_ends` has been set for `patience`; the thread is left behind, so all
  // that it uses must stay. True when there is no thread.
  bool join(const std::atomic<bool>& vm_ends, std::chrono::milliseconds patience);

 private:
  // Shared with the thread, which may outlive this object.
  struct End {
    std::mutex mutex;
    std::condition_variable changed;
    bool has_come = false;
  };

  std::shared_ptr<End> end_;
  std::thread thread_;
};

}  // namespace hearth
