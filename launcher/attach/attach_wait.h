// Waits for a JVM that may be stopped, busy, or never reply.
#pragma once

#include <chrono>

#include "launcher/attach/process.h"

namespace hearth::launcher {

// Prints at most one line for a stopped process, which accepts connections and does not reply, and one for a long wait;
// ends a wait that is too long.
class AttachWait {
 public:
  AttachWait(const Process& process, std::chrono::milliseconds patience) : process_(process), patience_(patience) {}

  // Waits until there is something to read. Throws Error when the patience, counted from the creation of this object,
  // is over.
  void until_readable(int fd);
  // Prints the lines that are due.
  void look();

 private:
  using Clock = std::chrono::steady_clock;

  void look_whether_stopped();

  const Process& process_;
  const std::chrono::milliseconds patience_;
  const Clock::time_point began_ = Clock::now();
  bool is_stop_printed_ = false;
  bool is_wait_printed_ = false;
};

}  // namespace hearth::launcher
