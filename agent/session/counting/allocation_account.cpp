#include "session/counting/allocation_account.h"

#include <algorithm>
#include <functional>

#include "base/formatted.h"

namespace hearth::session {

// Leaves out threads that started or ended meanwhile: ended ones are counted by thread_ended(), new ones had allocated
// nothing when the account began.
std::vector<LivingThread> AllocationAccount::list(const Lister& living, std::unique_lock<std::mutex>* lock) const {
  came_or_went_.clear();
  lists_ = true;
  lock->unlock();
  std::vector<LivingThread> threads = living();
  lock->lock();
  lists_ = false;
  auto moved = [this](const LivingThread& thread) { return came_or_went_.count(thread.tid) != 0; };
  threads.erase(std::remove_if(threads.begin(), threads.end(), moved), threads.end());
  return threads;
}

void AllocationAccount::begin(const Lister& living) {
  std::unique_lock<std::mutex> lock(mutex_);
  for (const LivingThread& thread : list(living, &lock)) before_[thread.tid] = thread.allocated_bytes;
  counts_ = true;
}

void AllocationAccount::thread_started(int tid) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (lists_) came_or_went_.insert(tid);
  before_.erase(tid);
  mark_ended(tid, false);
}

bool AllocationAccount::has_ended(int tid) const {
  auto index = static_cast<size_t>(tid);
  return index < ended_tids_.size() && ended_tids_[index];
}

void AllocationAccount::mark_ended(int tid, bool ended) {
  auto index = static_cast<size_t>(tid);
  if (index >= ended_tids_.size()) {
    if (!ended) return;
    ended_tids_.resize(index + 1);
  }
  ended_tids_[index] = ended;
}

void AllocationAccount::add(const LivingThread& thread, std::map<std::string, uint64_t>* sums) const {
  if (!filter_->accepts(thread.tid, thread.name)) return;
  auto before = before_.find(thread.tid);
  int64_t bytes = thread.allocated_bytes;
  if (before != before_.end()) bytes -= before->second;
  if (bytes > 0) (*sums)[formatted("{} tid={}", thread.name, thread.tid)] += static_cast<uint64_t>(bytes);
}

// Threads that ended since they were listed are in ended_ with all their bytes.
void AllocationAccount::add_living(const std::vector<LivingThread>& living,
                                   std::map<std::string, uint64_t>* sums) const {
  for (const LivingThread& thread : living)
    if (!has_ended(thread.tid)) add(thread, sums);
}

void AllocationAccount::thread_ended(const LivingThread& thread) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (lists_) came_or_went_.insert(thread.tid);
  if (!counts_) return;
  add(thread, &ended_);
  before_.erase(thread.tid);
  mark_ended(thread.tid, true);
  if (ended_.size() >= 2 * kEndedKept) keep_largest();
}

void AllocationAccount::keep_largest() {
  std::vector<uint64_t> sizes;
  for (const auto& [thread, bytes] : ended_) sizes.push_back(bytes);
  auto least_kept = sizes.begin() + kEndedKept - 1;
  std::nth_element(sizes.begin(), least_kept, sizes.end(), std::greater<>());
  auto is_larger = [least = *least_kept](uint64_t bytes) { return bytes > least; };
  auto room = kEndedKept - static_cast<size_t>(std::count_if(sizes.begin(), least_kept, is_larger));  // for equal sizes
  for (auto entry = ended_.begin(); entry != ended_.end();) {
    if (is_larger(entry->second)) {
      ++entry;
    } else if (entry->second == *least_kept && room > 0) {
      room--;
      ++entry;
    } else {
      other_ended_ += entry->second;
      entry = ended_.erase(entry);
    }
  }
}

void AllocationAccount::end(const Lister& living) {
  std::unique_lock<std::mutex> lock(mutex_);
  if (!counts_) return;
  add_living(list(living, &lock), &ended_);
  counts_ = false;
}

std::map<std::string, uint64_t> AllocationAccount::by_thread(const Lister& living) const {
  std::unique_lock<std::mutex> lock(mutex_);
  std::vector<LivingThread> threads = counts_ ? list(living, &lock) : std::vector<LivingThread>();
  std::map<std::string, uint64_t> sums = ended_;
  add_living(threads, &sums);
  if (other_ended_ > 0) sums[kOtherEnded] = other_ended_;
  return sums;
}

}  // namespace hearth::session
