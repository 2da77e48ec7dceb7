// Where a session stood at one moment: what a window of it begins with.
#pragma once

#include <cstdint>
#include <vector>

#include "profile/profile.h"
#include "session/sample_counts.h"

namespace hearth::session {

struct SessionMark {
  std::vector<SampleCounts::Count> counts;  // as SampleCounts::counts()
  std::vector<SampleCounts::Count> lost;    // by event
  profile::Quality quality;
  int64_t duration_ns = 0;  // since the session began
};

}  // namespace hearth::session
