// The breakpoints of a session's window in time: a byte each in the code of loaded libraries, written while other
// threads run it, and written back at the end. Outside signals; one thread at a time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/owned.h"
#include "capture/sample_window.h"

namespace hearth::events {

class WindowBreakpoints {
 public:
  struct Place {
    uintptr_t address = 0;
    std::string name;  // for messages
  };

  WindowBreakpoints() = default;
  WindowBreakpoints(const WindowBreakpoints&) = delete;
  WindowBreakpoints& operator=(const WindowBreakpoints&) = delete;
  ~WindowBreakpoints() { stop(); }

  // The window opens when any of `begin` is executed, by whatever thread, and closes when any of `end` is; without
  // `begin` it is open at first. Throws Error with what cannot be done; then nothing is changed. The code must not run
  // where SIGTRAP is blocked: the kernel ends a process that meets a breakpoint there.
  void start(const std::vector<Place>& begin, const std::vector<Place>& end);
  // Takes the breakpoints away. Samples are recorded again.
  void stop();

 private:
  void set(const Place& place, capture::TrapEffect effect);

  struct Breakpoint {
    uintptr_t address;
    uint8_t covered;  // the byte in whose place it is
    capture::FirstInstruction instruction;
  };
  UniqueFd memory_;
  std::vector<Breakpoint> set_;
};

}  // namespace hearth::events
