// Logs requests: a line for each that changed something, and at most one a second for those that were denied. Failures
// of the server and denied requests are warnings. Thread safe.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>

#include "commands/profiler_api.h"
#include "http/server/message.h"

namespace hearth::http {

class Audit {
 public:
  explicit Audit(commands::ProfilerApi* profiler) : profiler_(profiler) {}
  enum class Client { kWaits, kHasLeft };
  void answered(const Request& request, const Reply& reply, Client client);

 private:
  using Clock = std::chrono::steady_clock;

  commands::ProfilerApi* profiler_;
  std::mutex mutex_;
  Clock::time_point next_refusal_{};
  uint64_t untold_ = 0;
};

}  // namespace hearth::http
