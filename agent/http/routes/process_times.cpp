#include "http/routes/process_times.h"

#include <unistd.h>

#include <ctime>

#include "base/files.h"
#include "base/process_stat.h"

namespace hearth::http {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

int64_t now_ns(clockid_t clock) {
  timespec time{};
  return clock_gettime(clock, &time) == 0 ? time.tv_sec * kSecond + time.tv_nsec : 0;
}

// When the process started, in nanoseconds since the system did; 0 when it cannot be read.
int64_t start_ns() {
  try {
    std::string line = read_file("/proc/self/stat");
    return std::stoll(std::string(stat_fields(line).at(kStatStartTime))) * (kSecond / sysconf(_SC_CLK_TCK));
  } catch (const std::exception&) {
    return 0;
  }
}

}  // namespace

ProcessTimes process_times() {
  static const int64_t kStart = start_ns();
  return {kStart == 0 ? 0 : now_ns(CLOCK_BOOTTIME) - kStart, now_ns(CLOCK_PROCESS_CPUTIME_ID)};
}

}  // namespace hearth::http
