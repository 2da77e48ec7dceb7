// Schedule of a sampler's visits to threads, as a timing wheel: the first at a random moment of the thread's first
// interval, later ones an interval apart on average, with jitter, so that no rhythm of the program correlates with it.
// The cost of a visit does not depend on the number of threads. One thread at a time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "base/random.h"

namespace hearth::events {

class TimingWheel {
 public:
  struct Visit {
    uint32_t slot;    // index
    uint32_t serial;  // of the thread that had the slot when it was added
  };

  explicit TimingWheel(int64_t interval_ns)
      : interval_(std::clamp<int64_t>(interval_ns / kShortestTickNs, 1, kTicks)),
        tick_ns_(interval_ns / interval_),
        nearest_(std::max<int64_t>(1, interval_ / 2)),
        farthest_(2 * interval_ - nearest_),
        wheel_(static_cast<size_t>(farthest_ + 1)) {}

  // Returns the time between calls of next_tick().
  int64_t tick_ns() const { return tick_ns_; }

  void add(Visit visit) { put(visit, between(1, interval_)); }
  void again(Visit visit) { put(visit, between(nearest_, farthest_)); }

  // Returns the visits that are due. Each is due once; again() schedules the next.
  std::vector<Visit> next_tick() {
    now_ = (now_ + 1) % wheel_.size();
    return std::exchange(wheel_[now_], {});
  }

  // Returns a random part of a tick.
  int64_t jitter_ns() { return between(0, tick_ns_ - 1); }

 private:
  static constexpr int64_t kTicks = 8;  // in an interval
  static constexpr int64_t kShortestTickNs = 100'000;

  int64_t between(int64_t least, int64_t most) { return std::uniform_int_distribution<int64_t>(least, most)(random_); }
  void put(Visit visit, int64_t ticks) { wheel_[(now_ + static_cast<size_t>(ticks)) % wheel_.size()].push_back(visit); }

  int64_t interval_;  // in ticks
  int64_t tick_ns_;
  int64_t nearest_;  // in ticks
  int64_t farthest_;
  std::vector<std::vector<Visit>> wheel_;
  size_t now_ = 0;
  std::minstd_rand random_{random_seed()};
};

}  // namespace hearth::events
