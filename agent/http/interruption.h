// Tells a request that takes long that nobody waits for its reply any more: the client has gone, or the server stops.
// Thread safe.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace hearth::http {

class Interruption {
 public:
  using Clock = std::chrono::steady_clock;

  void raise() {
    {
      std::lock_guard<std::mutex> lock(mutex_);
      raised_ = true;
    }
    wake_.notify_all();
  }

  // Returns whether it was raised; false: the time is over.
  bool wait_until(Clock::time_point end) {
    std::unique_lock<std::mutex> lock(mutex_);
    return wake_.wait_until(lock, end, [this] { return raised_; });
  }

  bool raised() {
    std::lock_guard<std::mutex> lock(mutex_);
    return raised_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable wake_;
  bool raised_ = false;
};

}  // namespace hearth::http
