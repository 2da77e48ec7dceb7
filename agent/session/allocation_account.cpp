#include "session/allocation_account.h"

#include "base/formatted.h"
#include "events/allocation_weight.h"

namespace hearth::session {

void AllocationAccount::begin(const std::vector<LivingThread>& living) {
  if (!layout_->known) return;
  std::lock_guard<std::mutex> lock(mutex_);
  for (const LivingThread& thread : living) before_[thread.tid] = events::allocated_bytes(*layout_, thread.java_thread);
}

void AllocationAccount::add(const LivingThread& thread, std::map<std::string, uint64_t>* sums) const {
  auto before = before_.find(thread.tid);
  int64_t bytes = events::allocated_bytes(*layout_, thread.java_thread);
  if (before != before_.end()) bytes -= before->second;
  if (bytes > 0) (*sums)[formatted("{} tid={}", thread.name, thread.tid)] += static_cast<uint64_t>(bytes);
}

void AllocationAccount::thread_ended(const LivingThread& thread) {
  if (!layout_->known) return;
  std::lock_guard<std::mutex> lock(mutex_);
  if (is_closed_) return;
  add(thread, &ended_);
  before_.erase(thread.tid);
}

void AllocationAccount::end(const std::vector<LivingThread>& living) {
  if (!layout_->known) return;
  std::lock_guard<std::mutex> lock(mutex_);
  for (const LivingThread& thread : living) add(thread, &ended_);
  is_closed_ = true;
}

std::map<std::string, uint64_t> AllocationAccount::by_thread(const std::vector<LivingThread>& living) const {
  std::lock_guard<std::mutex> lock(mutex_);
  std::map<std::string, uint64_t> sums = ended_;
  if (is_closed_ || !layout_->known) return sums;
  for (const LivingThread& thread : living) add(thread, &sums);
  return sums;
}

}  // namespace hearth::session
