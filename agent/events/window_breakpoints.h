// Breakpoints that open and close a session's sampling window. Outside signals; one thread at a time.
#pragma once

#include <vector>

#include "capture/sample_window.h"
#include "events/breakpoints.h"

namespace hearth::events {

class WindowBreakpoints {
 public:
  using Place = Breakpoints::Place;

  WindowBreakpoints() = default;
  WindowBreakpoints(const WindowBreakpoints&) = delete;
  WindowBreakpoints& operator=(const WindowBreakpoints&) = delete;
  ~WindowBreakpoints() { stop(); }

  // Opens the window when any thread executes one of `begin` and closes it at one of `end`; without `begin` it is open
  // at first. Throws Error with the reason, and changes nothing, if a breakpoint is impossible.
  void start(const std::vector<Place>& begin, const std::vector<Place>& end, capture::Outside outside);
  // Removes the breakpoints. Samples are recorded again.
  void stop();
  // Removes the breakpoints and leaves the window as it is. False: there were none.
  bool remove();

 private:
  Breakpoints breakpoints_;
  bool has_window_ = false;
};

}  // namespace hearth::events
