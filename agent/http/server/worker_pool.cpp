#include "http/server/worker_pool.h"

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <system_error>

#include "base/error.h"
#include "base/formatted.h"
#include "base/scoped_signal_mask.h"

namespace hearth::http {

std::thread server_thread(const ThreadHooks& hooks, std::function<void()> work) {
  ScopedSignalMask blocked;
  try {
    return std::thread([hooks, work = std::move(work)] {
      hooks.begins(static_cast<int>(syscall(SYS_gettid)));
      pthread_setname_np(pthread_self(), "hearth http");
      work();
      hooks.ends(static_cast<int>(syscall(SYS_gettid)));
    });
  } catch (const std::system_error& error) {
    throw Error(formatted("no thread can be made ({})", error.what()),
                "raise the limit on threads (ulimit -u, pids cgroup)");
  }
}

void WorkerPool::run(std::function<void()> job) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (ends_) return;
  if (jobs_.size() >= idle_ && threads_.size() < most_) {
    try {
      threads_.push_back(server_thread(hooks_, [this] { work(); }));
    } catch (const Error&) {
      if (threads_.empty()) throw;
    }
  }
  jobs_.push_back(std::move(job));
  wake_.notify_one();
}

void WorkerPool::work() {
  std::unique_lock<std::mutex> lock(mutex_);
  for (;;) {
    idle_++;
    wake_.wait(lock, [this] { return ends_ || !jobs_.empty(); });
    idle_--;
    if (ends_) return;
    std::function<void()> job = std::move(jobs_.front());
    jobs_.pop_front();
    busy_++;
    lock.unlock();
    job();
    job = nullptr;
    lock.lock();
    if (--busy_ == 0) idle_again_.notify_all();
  }
}

bool WorkerPool::is_idle_within(std::chrono::milliseconds patience) {
  std::unique_lock<std::mutex> lock(mutex_);
  jobs_.clear();
  return idle_again_.wait_for(lock, patience, [this] { return busy_ == 0; });
}

void WorkerPool::stop() {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    ends_ = true;
    jobs_.clear();
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

}  // namespace hearth::http
