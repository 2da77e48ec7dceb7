// Time ranges as people write them.
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
  // Overlap with the time from begin to end; 0 or less: none.
  int64_t overlap(int64_t begin_ns, int64_t end_ns) const {
    return std::min(end_ns, to_ns) - std::max(begin_ns, from_ns);
  }
  bool has(int64_t begin_ns, int64_t end_ns) const { return begin_ns >= from_ns && end_ns <= to_ns; }
};

// "10:02" and "10:02:30" (the last such time of day), "2026-11-23", "2026-11-23T10:02", with or without seconds and Z,
// else in the machine's time zone of that day; "-10m" (ago; s, m, h, d), "now", and seconds or milliseconds since 1970.
// Throws Error.
int64_t parse_time(std::string_view text, int64_t now_ns);
// A length of time as "10s", "1500ms", "1.5h" (ms, s, m, h, d); empty for other text, and for a number without a unit,
// which could be seconds or milliseconds.
std::optional<int64_t> duration_ns(std::string_view text);

inline constexpr const char* kTimeForms = "10:02, 10:02:30, 2026-11-23T10:02, 2026-11-23T10:02Z, -10m, now";

// Either may be empty: then the range is open at that end. Throws Error, also if the end is not after the beginning.
TimeRange parse_range(std::string_view from, std::string_view to, int64_t now_ns);
// "FROM..TO", or FROM alone for all time from then on.
TimeRange parse_range(std::string_view text, int64_t now_ns);

// "2026-11-23 10:02:00", in the machine's time zone.
std::string time_text(int64_t unix_ns);
// "2026-11-23 10:02:00 to 10:05:00"
std::string range_text(int64_t from_ns, int64_t to_ns);

}  // namespace hearth::store
