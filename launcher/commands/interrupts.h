// Lets Ctrl-C, SIGTERM and a closed terminal be waited for, so that a running profile is stopped and written, not lost.
#pragma once

#include <chrono>
#include <csignal>

namespace hearth::launcher {

// Holds the signals back during its life. A signal that comes while nobody waits is dropped: the end that it asks for
// comes anyway. Children that run_as forks do not hold the signals back, so that Ctrl-C ends the wait for a JVM. One
// thread only.
class Interrupts {
 public:
  Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;
  ~Interrupts();

  // True as soon as one of the signals has come, false after `time` without one.
  bool wait_for(std::chrono::nanoseconds time);

 private:
  sigset_t signals_{};
  sigset_t before_{};
};

}  // namespace hearth::launcher
