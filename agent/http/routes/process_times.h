// The process's age and CPU time.
#pragma once

#include <cstdint>

namespace hearth::http {

struct ProcessTimes {
  int64_t uptime_ns = 0;  // 0: /proc cannot be read
  int64_t cpu_ns = 0;     // of all threads, since its start
};

ProcessTimes process_times();

}  // namespace hearth::http
