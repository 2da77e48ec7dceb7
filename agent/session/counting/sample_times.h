// The times of a session's samples, in steps as short as a fixed amount of memory allows: the steps double when there
// are too many of them, or too many entries in different steps.
#pragma once

#include <cstdint>
#include <deque>

#include "profile/model/id_index.h"

namespace hearth::session {

struct SampleCount {
  int64_t samples = 0;
  int64_t weight = 0;
  double objects = 0;  // of allocations

  SampleCount& operator+=(const SampleCount& other) {
    samples += other.samples;
    weight += other.weight;
    objects += other.objects;
    return *this;
  }
  SampleCount& operator-=(const SampleCount& other) {
    samples -= other.samples;
    weight -= other.weight;
    objects -= other.objects;
    return *this;
  }
};

// Most stacks are seen once, or within one step. The counter keeps the first time of each counted thing, in units; only
// counts in other steps than that are kept here.
class SampleTimes {
 public:
  static constexpr uint64_t kUnitNs = 20'000'000;  // the shortest step
  static constexpr uint32_t kMostSteps = 4096;

  // `most`: the limit of pairs of thing and step. Each takes 32 bytes, and 11 to 22 in the index.
  explicit SampleTimes(size_t most = 200'000) : most_(most) {}

  void begin(uint64_t now_ns) { began_ns_ = now_ns; }
  uint64_t began_ns() const { return began_ns_; }
  uint32_t unit_of(uint64_t time_ns) const {
    return time_ns <= began_ns_ ? 0 : static_cast<uint32_t>((time_ns - began_ns_) / kUnitNs);
  }
  uint32_t step_of_unit(uint64_t unit) const { return static_cast<uint32_t>(unit >> doublings_); }
  int64_t step_ns() const { return static_cast<int64_t>(kUnitNs) << doublings_; }
  // The end of the step that contains the time.
  uint64_t end_of_step(uint64_t time_ns) const {
    return began_ns_ + (uint64_t{step_of_unit(unit_of(time_ns))} + 1) * static_cast<uint64_t>(step_ns());
  }

  // `first_unit(id)` returns the first time of a thing from the counter.
  template <typename FirstUnit>
  void add(uint32_t id, uint64_t time_ns, const SampleCount& count, const FirstUnit& first_unit) {
    uint32_t unit = unit_of(time_ns);
    while (step_of_unit(unit) >= kMostSteps) double_steps(first_unit);
    while (step_of_unit(unit) != step_of_unit(first_unit(id)) && !add_later(id, step_of_unit(unit), count))
      double_steps(first_unit);
  }

  struct Later {
    uint32_t id;
    uint32_t step;
    SampleCount count;
  };
  const std::deque<Later>& later() const { return later_; }

  size_t bytes() const { return later_.size() * sizeof(Later) + index_.bytes(); }  // of memory

 private:
  // False: there is no space.
  bool add_later(uint32_t id, uint32_t step, const SampleCount& count);

  template <typename FirstUnit>
  void double_steps(const FirstUnit& first_unit) {
    doublings_++;
    std::deque<Later> finer;
    finer.swap(later_);
    index_ = {};
    for (; !finer.empty(); finer.pop_front()) {
      const Later& part = finer.front();
      uint32_t step = part.step >> 1;
      if (step != step_of_unit(first_unit(part.id))) add_later(part.id, step, part.count);
    }
  }

  size_t most_;
  uint64_t began_ns_ = 0;
  unsigned doublings_ = 0;
  std::deque<Later> later_;
  profile::IdIndex index_;
};

}  // namespace hearth::session
