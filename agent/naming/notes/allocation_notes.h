// Notes on how far an allocation profile can be trusted.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "profile/model/profile.h"

namespace hearth::naming {

struct AllocationFacts {
  uint64_t samples = 0;             // expected number of allocation samples
  uint64_t threads_begun = 0;       // since the session began
  bool is_drawn_by_the_jvm = true;  // the JVM's sampler chooses the sampled objects
};

// `quality` has its figures of allocations.
std::vector<std::string> allocation_notes(const profile::Quality& quality, const AllocationFacts& facts);

}  // namespace hearth::naming
