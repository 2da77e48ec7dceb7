#include "events/window_breakpoints.h"

#include "capture/sample_window.h"

namespace hearth::events {

void WindowBreakpoints::start(const std::vector<Place>& begin, const std::vector<Place>& end,
                              capture::Outside outside) {
  if (begin.empty() && end.empty()) return;
  capture::begin_windows(begin.empty(), outside);
  try {
    for (const Place& place : begin) breakpoints_.set(place, capture::kOpenWindow);
    for (const Place& place : end) breakpoints_.set(place, capture::kCloseWindow);
  } catch (...) {
    breakpoints_.clear();
    capture::end_windows();
    throw;
  }
  has_window_ = true;
}

bool WindowBreakpoints::remove() {
  bool had_any = breakpoints_.any();
  breakpoints_.clear();
  return had_any;
}

void WindowBreakpoints::stop() {
  if (!has_window_) return;  // the window may belong to another session now
  has_window_ = false;
  breakpoints_.clear();
  capture::end_windows();
}

}  // namespace hearth::events
