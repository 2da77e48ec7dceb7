#include "session/breakpoint_watch.h"

#include <vector>

#include "base/formatted.h"
#include "session/duty_cycle.h"

namespace hearth::session {

uint64_t BreakpointWatch::check(uint64_t now, uint64_t began_ns) {
  constexpr uint64_t kShortestPeriodNs = 40'000'000;
  std::unique_lock<std::mutex> lock = sources_->lock_pauses();
  if (!breakpoints_.are_in_window && !sources_->use_breakpoints()) return UINT64_MAX;
  std::string thread;
  uint64_t next = run_with_duty_cycle(now, kShortestPeriodNs, [&] { thread = breakpoints_.blocking_thread(); });
  if (thread.empty()) return next;
  std::vector<std::string> removed;
  if (breakpoints_.remove_from_window()) removed.emplace_back("begin and end");
  if (sources_->remove_breakpoints()) removed.emplace_back("tlab");
  if (removed.empty()) return next;  // the source that has some is paused
  sources_->forbid_breakpoints();
  notes_->add(formatted("{} had no breakpoints any more after {:.1f} s: {} blocks SIGTRAP, so one would end the JVM",
                        joined(removed, " and "), static_cast<double>(now - began_ns) / 1e9, thread));
  return UINT64_MAX;
}

}  // namespace hearth::session
