// The totals of a session at one moment, and the range of a session that a profile covers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "profile/model/profile.h"
#include "session/counting/live_profile.h"
#include "session/counting/sample_counts.h"

namespace hearth::session {

// The start of a range.
struct SessionSnapshot {
  std::vector<SampleCounts::Count> counts;  // as SampleCounts::counts()
  std::vector<SampleCounts::Count> lost;    // by event
  profile::Quality quality;
  int64_t duration_ns = 0;         // since the session began
  std::vector<int64_t> paused_ns;  // by event, within duration_ns
};

// The default range is the whole session.
struct ProfileRange {
  SessionSnapshot since;
  std::vector<std::string> events;  // empty: all events. Other events keep their value columns, without samples
  LiveProfile::As live = LiveProfile::As::kCollectedNow;
  bool by_time = false;             // with the times of the samples; only for the whole session
  bool dates_live = false;          // labels live memory with the time of its allocation (profile::kAllocatedLabel)
  SessionSnapshot* next = nullptr;  // receives the start of the next range, so that each sample is in exactly one

  bool has(const std::string& event) const {
    return events.empty() || std::find(events.begin(), events.end(), event) != events.end();
  }
};

}  // namespace hearth::session
