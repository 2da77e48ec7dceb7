// Threads that requests are answered on: made when they are needed, never more than so many. They take no signals, and
// are kept out of profiles by whoever is told of them.
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

// A thread of the server that runs `work`. Throws Error when none can be made.
std::thread server_thread(const ThreadHooks& hooks, std::function<void()> work);

class WorkerPool {
 public:
  WorkerPool(size_t most, ThreadHooks hooks) : most_(most), hooks_(std::move(hooks)) {}
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;
  ~WorkerPool() { stop(); }

  // Jobs throw nothing. Throws Error when there is no thread yet and none can be made; later a job waits for one.
  void run(std::function<void()> job);

  // Drops the jobs that wait, and says whether those that run have ended in this time.
  bool is_idle_within(std::chrono::milliseconds patience);

  // Waits for the jobs that run; those that wait are dropped.
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
