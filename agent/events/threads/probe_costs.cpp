#include "events/threads/probe_costs.h"

namespace hearth::events {

ProbeCosts& ProbeCosts::instance() {
  static ProbeCosts* times = new ProbeCosts;
  return *times;
}

void ProbeCosts::clock_begins() {
  std::lock_guard<std::mutex> lock(mutex_);
  clocks_++;
}

void ProbeCosts::clock_ends() {
  std::lock_guard<std::mutex> lock(mutex_);
  if (--clocks_ < 2) ranges_ = {};
}

void ProbeCosts::answered(int tid, int64_t from_ns, int64_t to_ns) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (clocks_ < 2) return;
  auto [known, is_new] = ranges_.try_emplace(tid, Range{from_ns, to_ns});
  if (is_new) return;
  Range& range = known->second;
  if (range.to_ns != from_ns) range.from_ns = from_ns;
  range.to_ns = to_ns;
}

bool ProbeCosts::only_answered(int tid, int64_t from_ns, int64_t to_ns) {
  std::lock_guard<std::mutex> lock(mutex_);
  auto known = ranges_.find(tid);
  return known != ranges_.end() && known->second.from_ns <= from_ns && known->second.to_ns == to_ns;
}

void ProbeCosts::forget(int tid) {
  std::lock_guard<std::mutex> lock(mutex_);
  ranges_.erase(tid);
}

}  // namespace hearth::events
