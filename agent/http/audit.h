// What the log says of requests: a line for each that changed something, and for those that were kept out, but not more
// of these than one a second. Thread safe.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>

#include "http/message.h"
#include "http/target.h"

namespace hearth::http {

class Audit {
 public:
  explicit Audit(Target* target) : target_(target) {}
  enum class Client { kWaits, kHasLeft };
  void answered(const Request& request, const Reply& reply, Client client);

 private:
  using Clock = std::chrono::steady_clock;

  Target* target_;
  std::mutex mutex_;
  Clock::time_point next_refusal_{};
  uint64_t untold_ = 0;
};

}  // namespace hearth::http
