// The breakpoints of a session's window in time. Outside signals; one thread at a time.
#pragma once

#include <vector>

#include "events/breakpoints.h"

namespace hearth::events {

class WindowBreakpoints {
 public:
  using Place = Breakpoints::Place;

  WindowBreakpoints() = default;
  WindowBreakpoints(const WindowBreakpoints&) = delete;
  WindowBreakpoints& operator=(const WindowBreakpoints&) = delete;
  ~WindowBreakpoints() { stop(); }

  // The window opens when any of `begin` is executed, by whatever thread, and closes when any of `end` is; without
  // `begin` it is open at first. Throws Error with what cannot be done; then nothing is changed.
  void start(const std::vector<Place>& begin, const std::vector<Place>& end);
  // Takes the breakpoints away. Samples are recorded again.
  void stop();
  // Takes them away and leaves the window as it is. False: there were none.
  bool give_up();

 private:
  Breakpoints breakpoints_;
  bool has_window_ = false;
};

}  // namespace hearth::events
