#include "events/wall/sampler_thread.h"

#include <pthread.h>

#include <algorithm>
#include <utility>

#include "base/scoped_signal_mask.h"
#include "events/handlers/current_tid.h"
#include "events/threads/thread_clock.h"

namespace hearth::events {

void SamplerThread::begin(Ticks ticks) {
  ticks_ = std::move(ticks);
  std::unique_lock<std::mutex> lock(mutex_);
  {
    ScopedSignalMask blocked;
    thread_ = std::thread([this] { run(); });
  }
  wake_.wait(lock, [this] { return tid_ != 0; });
}

bool SamplerThread::end() {
  if (!thread_.joinable()) return false;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    ends_ = true;
  }
  wake_.notify_all();
  thread_.join();
  return true;
}

void SamplerThread::run() {
  pthread_setname_np(pthread_self(), "hearth wall");
  {
    std::lock_guard<std::mutex> lock(mutex_);
    tid_ = current_tid();
  }
  wake_.notify_all();
  auto tick = std::chrono::steady_clock::now();
  while (wait_until(tick + ticks_.delay())) {
    ticks_.run();
    cpu_ns_ = clock_ns(CLOCK_THREAD_CPUTIME_ID);
    tick = std::max(tick + ticks_.length, std::chrono::steady_clock::now());
  }
}

bool SamplerThread::wait_until(std::chrono::steady_clock::time_point time) {
  std::unique_lock<std::mutex> lock(mutex_);
  return !wake_.wait_until(lock, time, [this] { return ends_; });
}

}  // namespace hearth::events
