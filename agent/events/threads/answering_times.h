// Wall clocks beside each other ask the same threads, and each question moves the CPU clock by which the others see
// that a thread has stayed where it was. So they tell each other how far a thread's clock came by answering. Thread
// safe; outside signals.
#pragma once

#include <cstdint>
#include <mutex>
#include <unordered_map>

namespace hearth::events {

class AnsweringTimes {
 public:
  // Of all wall clocks; never destroyed.
  static AnsweringTimes& instance();

  // A wall clock begins or ends: of one alone nothing is kept.
  void clock_begins();
  void clock_ends();

  // The thread was blocked when its CPU clock stood at `from_ns`; it was asked, and is blocked at `to_ns`.
  void answered(int tid, int64_t from_ns, int64_t to_ns);
  // Whether from the one to the other it did nothing but answer.
  bool only_answered(int tid, int64_t from_ns, int64_t to_ns);
  void forget(int tid);

 private:
  struct Range {
    int64_t from_ns;
    int64_t to_ns;
  };
  std::mutex mutex_;
  int clocks_ = 0;
  std::unordered_map<int, Range> ranges_;  // by tid
};

}  // namespace hearth::events
