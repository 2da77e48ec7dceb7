// Work that comes again and again, for as long as a session runs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <ctime>

#include "events/thread_clock.h"

namespace hearth::session {

// Does the work and says when to do it next, if that was at `now`: it may take one 400th of a CPU, so its period, which
// is not shorter than `shortest_ns`, follows from what it costs this thread.
template <typename Work>
uint64_t paced(uint64_t now, uint64_t shortest_ns, Work work) {
  constexpr uint64_t kShare = 400;
  int64_t began = events::clock_ns(CLOCK_THREAD_CPUTIME_ID);
  work();
  auto cost = static_cast<uint64_t>(events::clock_ns(CLOCK_THREAD_CPUTIME_ID) - began);
  return now + std::max(shortest_ns, cost * kShare);
}

}  // namespace hearth::session
