// A session's breakpoints while it runs: no thread may meet them that blocks SIGTRAP.
#include <algorithm>

#include "base/formatted.h"
#include "events/trap_blockers.h"
#include "session/paced.h"
#include "session/profile_session.h"

namespace hearth::session {

bool ProfileSession::uses_breakpoints() const {
  if (!options_.begin.empty() || !options_.end.empty()) return true;
  return std::any_of(sources_.begin(), sources_.end(),
                     [](const Source& one) { return one.source->engine() == events::kTlabEngine; });
}

void ProfileSession::watch_breakpoints(uint64_t now, Due* due) {
  constexpr uint64_t kShortestPeriodNs = 40'000'000;
  std::lock_guard<std::mutex> paused(pauses_mutex_);
  if (!uses_breakpoints()) {
    due->breakpoints = UINT64_MAX;
    return;
  }
  std::string thread;
  due->breakpoints = paced(now, kShortestPeriodNs, [&] { thread = events::thread_that_blocks_traps(); });
  if (thread.empty()) return;
  std::vector<std::string> given_up;
  if (window_.give_up_breakpoints()) given_up.emplace_back("begin and end");
  for (const Source& one : sources_) {
    if (one.source->give_up_breakpoints()) given_up.emplace_back("tlab");
  }
  if (given_up.empty()) return;  // what has them is paused
  due->breakpoints = UINT64_MAX;
  has_given_up_breakpoints_ = true;
  std::lock_guard<std::mutex> lock(notes_mutex_);
  notes_.push_back(
      formatted("{} had no breakpoints any more after {:.1f} s: {} blocks SIGTRAP, so one would end the JVM",
                joined(given_up, " and "), static_cast<double>(now - began_ns_) / 1e9, thread));
}

}  // namespace hearth::session
