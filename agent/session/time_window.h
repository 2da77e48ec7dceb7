// begin=, end= and ttsp: the windows between the execution of two native functions. With nostop samples are recorded
// outside of them, too.
#pragma once

#include <cstdint>
#include <string>

#include "events/window_breakpoints.h"
#include "options/options.h"
#include "vm/vm.h"

namespace hearth::session {

class TimeWindow {
 public:
  // Sets breakpoints on the functions; does nothing without such options. Throws Error with the option, the problem of
  // its function and the remedy; then nothing is changed. `options` outlive it.
  void start(vm::Vm* vm, const options::Options& options);
  // Removes the breakpoints; samples are recorded again.
  void stop() { breakpoints_.stop(); }

  // Removes the breakpoints and leaves the window open or closed as it is. False: there were none.
  bool remove_breakpoints() { return breakpoints_.remove(); }

  // Reports a window that never opened; "" otherwise.
  std::string trouble() const;

 private:
  const options::Options* options_ = nullptr;
  uint64_t openings_before_ = 0;
  events::WindowBreakpoints breakpoints_;
};

}  // namespace hearth::session
