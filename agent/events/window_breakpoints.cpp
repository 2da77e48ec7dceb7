#include "events/window_breakpoints.h"

#include "capture/sample_window.h"

namespace hearth::events {

void WindowBreakpoints::start(const std::vector<Place>& begin, const std::vector<Place>& end) {
  if (begin.empty() && end.empty()) return;
  capture::set_window(begin.empty());
  try {
    for (const Place& place : begin) breakpoints_.set(place, capture::open_window);
    for (const Place& place : end) breakpoints_.set(place, capture::close_window);
  } catch (...) {
    breakpoints_.clear();
    capture::set_window(true);
    throw;
  }
}

void WindowBreakpoints::stop() {
  if (!breakpoints_.any()) return;  // the window may be another session's by now
  breakpoints_.clear();
  capture::set_window(true);
}

}  // namespace hearth::events
