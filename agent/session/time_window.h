// begin=, end= and ttsp: samples are recorded only between the execution of two native functions.
#pragma once

#include <cstdint>
#include <string>

#include "events/window_breakpoints.h"
#include "session/options.h"
#include "session/vm.h"

namespace hearth::session {

class TimeWindow {
 public:
  // Finds the functions and has them watched; without such options it does nothing. Throws Error with the option, what
  // is wrong with its function, and what to do; then nothing is changed. `options` outlive it.
  void start(Vm* vm, const Options& options);
  // Samples are recorded again.
  void stop() { breakpoints_.stop(); }

  // Takes the breakpoints away and leaves the window as it is. False: there were none.
  bool give_up_breakpoints() { return breakpoints_.give_up(); }

  // That the window never opened, or "".
  std::string trouble() const;

 private:
  const Options* options_ = nullptr;
  uint64_t openings_before_ = 0;
  events::WindowBreakpoints breakpoints_;
};

}  // namespace hearth::session
