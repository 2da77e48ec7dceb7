// Begin and end of the store's running window. Windows end where the clock shows a multiple of their length: at
// 10:02:00, not at 10:02:17. Reads no clock itself. Not thread safe.
#pragma once

#include <cstdint>

namespace hearth::always_on {

class WindowClock {
 public:
  struct Time {
    int64_t unix_ns = 0;
    uint64_t ns = 0;  // CLOCK_MONOTONIC
  };

  explicit WindowClock(int64_t length_ns) : length_ns_(length_ns) {}

  // Ends the running window and begins the next. A rest of less than a tenth of a window is added to the next one.
  void begin(Time now);
  Time began() const { return began_; }
  uint64_t ends_ns() const { return ends_ns_; }
  bool is_over(uint64_t now_ns) const { return now_ns >= ends_ns_; }
  // Ends the window no earlier than `ns`.
  void prolong_to(uint64_t ns);
  // Whether the window is long enough to end before its time, for a query that includes the last moment.
  bool is_worth_a_file(uint64_t now_ns) const;

 private:
  const int64_t length_ns_;
  Time began_;
  uint64_t ends_ns_ = 0;
};

}  // namespace hearth::always_on
