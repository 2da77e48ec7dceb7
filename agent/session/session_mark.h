// Where a session stood at one moment, and what of a session a profile shows.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "profile/profile.h"
#include "session/live_profile.h"
#include "session/sample_counts.h"

namespace hearth::session {

// What a window of the session begins with.
struct SessionMark {
  std::vector<SampleCounts::Count> counts;  // as SampleCounts::counts()
  std::vector<SampleCounts::Count> lost;    // by event
  profile::Quality quality;
  int64_t duration_ns = 0;         // since the session began
  std::vector<int64_t> paused_ns;  // of that, by event
};

struct SessionPart {
  SessionMark since;                // the session's start unless said
  std::vector<std::string> events;  // none: all there are. Of others there are values, but no samples
  LiveProfile::As live = LiveProfile::As::kCollectedNow;
  bool by_time = false;         // of the whole session alone: when its samples came
  SessionMark* next = nullptr;  // is made: where the next part begins, so that no sample is in both or neither

  bool has(const std::string& event) const {
    return events.empty() || std::find(events.begin(), events.end(), event) != events.end();
  }
};

}  // namespace hearth::session
