// The thread that samples wall time: it calls back at each tick, until it is ended.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>

namespace hearth::events {

class SamplerThread {
 public:
  SamplerThread() = default;
  SamplerThread(const SamplerThread&) = delete;
  SamplerThread& operator=(const SamplerThread&) = delete;
  ~SamplerThread() { end(); }

  struct Ticks {
    std::chrono::nanoseconds length;
    std::function<std::chrono::nanoseconds()> delay;  // of the next tick
    std::function<void()> run;                        // both are called on the thread
  };
  // Returns when the thread runs. Throws std::system_error if there can be no thread.
  void begin(Ticks ticks);
  // Returns when it has ended; false: there was none.
  bool end();

  int tid() const { return tid_; }            // 0 before begin()
  int64_t cpu_ns() const { return cpu_ns_; }  // by the last tick

 private:
  void run();
  bool wait_until(std::chrono::steady_clock::time_point time);  // false: it is to end

  Ticks ticks_;
  std::thread thread_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool ends_ = false;
  int tid_ = 0;
  std::atomic<int64_t> cpu_ns_{0};
};

}  // namespace hearth::events
