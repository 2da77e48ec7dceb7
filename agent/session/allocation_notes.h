// What readers of an allocation profile should know of how far to trust it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "profile/profile.h"

namespace hearth::session {

struct AllocationFacts {
  uint64_t samples = 0;             // of allocations, as many as there should be
  uint64_t threads_begun = 0;       // since the session began
  bool is_drawn_by_the_jvm = true;  // where samples lie: by its sampler
};

// `quality`: as add_allocations() left it.
std::vector<std::string> allocation_notes(const profile::Quality& quality, const AllocationFacts& facts);

}  // namespace hearth::session
