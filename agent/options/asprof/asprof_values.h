// Numbers as async-profiler reads them: one letter of a unit counts, "10m" of an interval are milliseconds.
#pragma once

#include <cstdint>
#include <ctime>
#include <map>
#include <string>
#include <string_view>

namespace hearth::options {

enum class AsprofUnits { kNanoseconds, kSeconds, kBytes, kCount, kAny };

// Returns nanoseconds, bytes, seconds, or for kAny a number of the event's own unit. Throws Error that names `option`.
int64_t asprof_number(std::string_view option, std::string_view text, AsprofUnits units);

// Returns the seconds until a timeout: "30", "10m", or a time of day as "17:30:00", of which it takes the next one
// after `now`. Throws Error that names `option`.
int64_t asprof_seconds(std::string_view option, std::string_view text, std::time_t now);

// The value of ratelimit, "cpu:50;span:200": events a second by category. Throws Error for another category.
std::map<std::string, int64_t> asprof_limits(std::string_view text);

}  // namespace hearth::options
