// The interval of sampled waits, by how many there are: each sample costs a walk, or two. Any thread, outside signals.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace hearth::events {

class WaitInterval {
 public:
  // `many`: with so many samples in a second the interval doubles, and from then on with every eighth of them; with
  // less than half of them it halves.
  explicit WaitInterval(uint32_t many = 256) : many_(many) {}

  void start(int64_t interval) { interval_ = interval; }

  // Of waits that end at `now_ns`.
  int64_t at(uint64_t now_ns) {
    uint64_t end = end_ns_.load(std::memory_order_relaxed);
    if (now_ns >= end && end_ns_.compare_exchange_strong(end, now_ns + kSecond)) begin_second();
    return interval_ << std::min(doublings_.load(std::memory_order_relaxed), kMostDoublings);
  }
  void sampled() {
    uint32_t samples = samples_.fetch_add(1, std::memory_order_relaxed) + 1;
    if (samples >= many_ && (samples - many_) % (many_ / kParts) == 0)
      doublings_.fetch_add(1, std::memory_order_relaxed);
  }

 private:
  static constexpr uint64_t kSecond = 1'000'000'000;
  static constexpr uint32_t kParts = 8, kMostDoublings = 16;

  void begin_second() {
    uint32_t doublings = std::min(doublings_.load(std::memory_order_relaxed), kMostDoublings);
    bool were_few = samples_.exchange(0, std::memory_order_relaxed) < many_ / 2;
    doublings_.store(doublings - (were_few && doublings > 0 ? 1 : 0), std::memory_order_relaxed);
  }

  const uint32_t many_;
  int64_t interval_ = 0;
  std::atomic<uint64_t> end_ns_{0};
  std::atomic<uint32_t> samples_{0}, doublings_{0};
};

}  // namespace hearth::events
