// Cancels a request that takes long when nobody waits for its reply: the client disconnected, or the server stops.
// Thread safe.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace hearth::http {

class CancellationToken {
 public:
  using Clock = std::chrono::steady_clock;

  void cancel() {
    {
      std::lock_guard<std::mutex> lock(mutex_);
      is_cancelled_ = true;
    }
    wake_.notify_all();
  }

  // Returns true if it was cancelled before `end`.
  bool wait_until(Clock::time_point end) {
    std::unique_lock<std::mutex> lock(mutex_);
    return wake_.wait_until(lock, end, [this] { return is_cancelled_; });
  }

  bool is_cancelled() {
    std::lock_guard<std::mutex> lock(mutex_);
    return is_cancelled_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable wake_;
  bool is_cancelled_ = false;
};

}  // namespace hearth::http
