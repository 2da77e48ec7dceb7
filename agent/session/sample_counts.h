// What the session has drained from the ring: how often, and with how much weight, each thread was seen in each stack.
#pragma once

#include <cstdint>
#include <tuple>
#include <unordered_map>

#include "capture/sample_ring.h"

namespace hearth::session {

class SampleCounts {
 public:
  struct Key {
    uint32_t thread;  // serial
    uint32_t stack;   // StackTree node
    uint16_t event;
    uint16_t state;

    bool operator==(const Key& other) const { return tied() == other.tied(); }
    bool operator<(const Key& other) const { return tied() < other.tied(); }

   private:
    std::tuple<uint32_t, uint32_t, uint16_t, uint16_t> tied() const { return {thread, stack, event, state}; }
  };
  struct Count {
    int64_t samples = 0;
    int64_t weight = 0;
  };

  // `times` samples, whose weights together are sample.weight. False: there is no room for another kind of sample. Some
  // 64 bytes each.
  bool add(const capture::Sample& sample, int64_t times = 1) {
    Key key = {sample.thread, sample.stack, sample.event, sample.state};
    auto found = counts_.find(key);
    if (found == counts_.end()) {
      if (counts_.size() >= kMost) return false;
      found = counts_.emplace(key, Count()).first;
    }
    found->second.samples += times;
    found->second.weight += sample.weight;
    return true;
  }

  struct Hash {
    size_t operator()(const Key& key) const {
      uint64_t both = static_cast<uint64_t>(key.thread) << 32 | key.stack;
      uint64_t kind = static_cast<uint64_t>(key.event) << 16 | key.state;
      return (both ^ kind << 24) * 0x9e3779b97f4a7c15ULL;
    }
  };
  using Map = std::unordered_map<Key, Count, Hash>;
  const Map& all() const { return counts_; }

 private:
  static constexpr size_t kMost = 4'000'000;
  Map counts_;
};

}  // namespace hearth::session
