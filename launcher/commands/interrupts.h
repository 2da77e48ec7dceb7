// Ctrl-C, SIGTERM and a closed terminal as something to wait for, so that a running profile is stopped and written and
// not lost.
#pragma once

#include <chrono>
#include <csignal>

namespace hearth::launcher {

// Holds the signals back while it lives. One that comes when nobody waits asks for what comes next anyway, the end: it
// is dropped. Children that run_as forks meanwhile do not hold them back, so that Ctrl-C ends the wait for a JVM. One
// thread only.
class Interrupts {
 public:
  Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;
  ~Interrupts();

  // True as soon as one of the signals has come, false when `time` has passed without.
  bool wait_for(std::chrono::nanoseconds time);

 private:
  sigset_t signals_{};
  sigset_t before_{};
};

}  // namespace hearth::launcher
