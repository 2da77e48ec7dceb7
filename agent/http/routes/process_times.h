// How long this process has been there, and what it has used.
#pragma once

#include <cstdint>

namespace hearth::http {

struct ProcessTimes {
  int64_t uptime_ns = 0;  // 0 where /proc does not tell
  int64_t cpu_ns = 0;     // of all threads, since its start
};

ProcessTimes process_times();

}  // namespace hearth::http
