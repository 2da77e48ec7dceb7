// Labels that were set for longer than a limit: added by the threads that set them, read by the flight recorder. Thread
// safe.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <utility>

namespace hearth::vm {

class SlowLabels {
 public:
  // In nanoseconds; 0: no labels are added.
  void set_limit(int64_t limit_ns) { limit_ns_ = limit_ns; }
  int64_t limit() const { return limit_ns_; }

  // `labels`: the number of a label set. May throw std::bad_alloc.
  void add(uint32_t labels, int64_t took_ns) {
    std::lock_guard<std::mutex> lock(mutex_);
    int64_t& longest = longest_[labels];
    if (took_ns > longest) longest = took_ns;
  }

  // Returns the longest duration of each label set since the last call.
  std::map<uint32_t, int64_t> take() {
    std::lock_guard<std::mutex> lock(mutex_);
    return std::exchange(longest_, {});
  }

 private:
  std::atomic<int64_t> limit_ns_{0};
  std::mutex mutex_;
  std::map<uint32_t, int64_t> longest_;  // bounded, as label sets are
};

}  // namespace hearth::vm
