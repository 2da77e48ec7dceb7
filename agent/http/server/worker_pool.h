// Threads that answer requests, created on demand up to a limit. They block all signals. The hooks exclude them from
// profiles.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace hearth::http {

struct ThreadHooks {
  std::function<void(int tid)> begins;  // on the thread itself, first and last
  std::function<void(int tid)> ends;
};

// A thread of the server that runs `work`. Throws Error if none can be created.
std::thread server_thread(const ThreadHooks& hooks, std::function<void()> work);

class WorkerPool {
 public:
  WorkerPool(size_t most, ThreadHooks hooks) : most_(most), hooks_(std::move(hooks)) {}
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;
  ~WorkerPool() { stop(); }

  // Jobs throw nothing. Throws Error if no thread exists and none can be created; otherwise the job waits for one.
  void run(std::function<void()> job);

  // Drops the jobs that wait. Returns whether those that run ended in this time.
  bool is_idle_within(std::chrono::milliseconds patience);

  // Waits for the jobs that run, and drops those that wait.
  void stop();

 private:
  void work();

  const size_t most_;
  const ThreadHooks hooks_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> jobs_;
  std::vector<std::thread> threads_;
  std::condition_variable idle_again_;
  size_t busy_ = 0;
  size_t idle_ = 0;
  bool ends_ = false;
};

}  // namespace hearth::http
