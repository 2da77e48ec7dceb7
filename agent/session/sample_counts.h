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

  void add(const capture::Sample& sample) {
    Count& count = counts_[static_cast<uint64_t>(sample.thread) << 32 | sample.stack];
    count.samples++;
    count.weight += sample.weight;
  }

  // thread serial << 32 | stack node
  const std::unordered_map<uint64_t, Count>& all() const { return counts_; }

 private:
  std::unordered_map<uint64_t, Count> counts_;
};

}  // namespace hearth::session
