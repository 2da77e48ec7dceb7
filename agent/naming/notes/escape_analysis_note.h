// A note on objects that the JIT may have removed (escape analysis) before they could be sampled.
#pragma once

#include <cstdint>
#include <string>

#include "capture/store/stack_tree.h"
#include "session/counting/sample_counts.h"

namespace hearth::naming {

// Objects of an event, and the part made by code that C2 compiled or may have compiled. Only C2 removes objects.
struct AllocationsByC2 {
  uint64_t objects = 0;
  uint64_t from_c2 = 0;
};
AllocationsByC2 allocations_by_c2(const capture::StackTree& tree, const session::SampleCounts& counts, uint16_t event);

// Returns one line for a session that records every object.
std::string escape_analysis_note(const AllocationsByC2& sites);

}  // namespace hearth::naming
