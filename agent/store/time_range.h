// From when until when, as people write it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hearth::store {

struct TimeRange {
  int64_t from_ns = INT64_MIN;  // since 1970
  int64_t to_ns = INT64_MAX;

  bool has(int64_t moment_ns) const { return moment_ns >= from_ns && moment_ns < to_ns; }
  // How much of the time from begin to end lies within; not above 0: nothing.
  int64_t overlap(int64_t begin_ns, int64_t end_ns) const {
    return std::min(end_ns, to_ns) - std::max(begin_ns, from_ns);
  }
  bool has(int64_t begin_ns, int64_t end_ns) const { return begin_ns >= from_ns && end_ns <= to_ns; }
};

// "10:02" and "10:02:30" (the last time that it was so late), "2026-11-23", "2026-11-23T10:02", with seconds, with Z or
// without: by the machine's time zone then; "-10m" (ago; s, m, h, d), "now", and seconds or milliseconds since 1970.
// Throws Error.
int64_t parse_time(std::string_view text, int64_t now_ns);

inline constexpr const char* kTimeForms = "10:02, 10:02:30, 2026-11-23T10:02, 2026-11-23T10:02Z, -10m, now";

// Either may be empty: then there is no such end. Throws Error, also where the end is not after the beginning.
TimeRange parse_range(std::string_view from, std::string_view to, int64_t now_ns);
// "FROM..TO", or FROM alone, from which on all is meant.
TimeRange parse_range(std::string_view text, int64_t now_ns);

// "2026-11-23 10:02:00", by the machine's time zone.
std::string time_text(int64_t unix_ns);
// "2026-11-23 10:02:00 to 10:05:00"
std::string range_text(int64_t from_ns, int64_t to_ns);

}  // namespace hearth::store
