// Breakpoints of a session: one byte (int3) each in the code of loaded libraries, written while other threads run it
// and restored at the end. Outside signals; one thread at a time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/owned.h"
#include "capture/arch/processor.h"
#include "capture/faults/traps.h"

namespace hearth::events {

class Breakpoints {
 public:
  struct Place {
    uintptr_t address = 0;
    std::string name;  // for messages
  };

  Breakpoints() = default;
  Breakpoints(const Breakpoints&) = delete;
  Breakpoints& operator=(const Breakpoints&) = delete;
  ~Breakpoints() { clear(); }

  // Makes every thread that executes the place run `action`. Throws Error if it is impossible or if a thread blocks
  // SIGTRAP; breakpoints that were set before stay. The code must not run where SIGTRAP is blocked: the kernel ends a
  // process that meets a breakpoint there.
  void set(const Place& place, capture::TrapAction action);
  // Removes all of them. A thread that met one may still be in its action.
  void clear();
  bool any() const { return !set_.empty(); }

 private:
  void open();

  struct Breakpoint {
    uintptr_t address;
    capture::BreakpointCode covered;  // the bytes that it replaces
    capture::FirstInstruction instruction;
  };
  UniqueFd memory_;
  std::vector<Breakpoint> set_;
};

}  // namespace hearth::events
