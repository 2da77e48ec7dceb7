// What the session has drained from the ring: how often, and with how much weight, each thread was seen in each stack.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "capture/sample_ring.h"

namespace hearth::session {

class SampleCounts {
 public:
  struct Count {
    int64_t samples = 0;
    int64_t weight = 0;
  };

  // False: there is no room for another pair of thread and stack. Some 64 bytes each.
  bool add(const capture::Sample& sample) {
    uint64_t key = static_cast<uint64_t>(sample.thread) << 32 | sample.stack;
    auto found = counts_.find(key);
    if (found == counts_.end()) {
      if (counts_.size() >= kMost) return false;
      found = counts_.emplace(key, Count()).first;
    }
    found->second.samples++;
    found->second.weight += sample.weight;
    return true;
  }

  // thread serial << 32 | stack node
  const std::unordered_map<uint64_t, Count>& all() const { return counts_; }

 private:
  static constexpr size_t kMost = 4'000'000;
  std::unordered_map<uint64_t, Count> counts_;
};

}  // namespace hearth::session
