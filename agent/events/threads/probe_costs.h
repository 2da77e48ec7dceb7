// CPU times that threads spend on answers to wall clocks. Several wall clocks probe the same threads, and each answer
// advances the CPU clock by which the others detect that a thread has stayed blocked. So they share how far a thread's
// clock advanced by answers alone. Thread safe; outside signals.
#pragma once

#include <cstdint>
#include <mutex>
#include <unordered_map>

namespace hearth::events {

class ProbeCosts {
 public:
  // Shared by all wall clocks; never destroyed.
  static ProbeCosts& instance();

  // A wall clock begins or ends. Nothing is kept for a single one.
  void clock_begins();
  void clock_ends();

  // The thread was blocked at `from_ns` of its CPU clock, answered a request, and is blocked again at `to_ns`.
  void answered(int tid, int64_t from_ns, int64_t to_ns);
  // True if the thread only answered requests between the two times.
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
