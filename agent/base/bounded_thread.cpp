#include "base/bounded_thread.h"

#include <utility>

#include "base/scoped_signal_mask.h"

namespace hearth {

void BoundedThread::start(std::function<void()> work) {
  auto end = std::make_shared<End>();
  ScopedSignalMask blocked;
  thread_ = std::thread([end, work = std::move(work)] {
    work();
    std::lock_guard<std::mutex> lock(end->mutex);
    end->has_come = true;
    end->changed.notify_all();
  });
  end_ = std::move(end);
}

bool BoundedThread::join(const std::atomic<bool>& vm_ends, std::chrono::milliseconds patience) {
  constexpr std::chrono::milliseconds kNap(50);
  if (!thread_.joinable()) return true;
  std::chrono::milliseconds waited(0);
  std::unique_lock<std::mutex> lock(end_->mutex);
  while (!end_->changed.wait_for(lock, kNap, [this] { return end_->has_come; })) {
    if (!vm_ends) continue;
    waited += kNap;
    if (waited < patience) continue;
    thread_.detach();
    return false;
  }
  lock.unlock();
  thread_.join();
  return true;
}

}  // namespace hearth
