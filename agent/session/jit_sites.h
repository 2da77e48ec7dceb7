// Where the JIT may have taken objects out before anybody could see them.
#pragma once

#include <cstdint>
#include <string>

#include "capture/stack_tree.h"
#include "session/sample_counts.h"

namespace hearth::session {

// Of the objects of `event`, those made by code that C2 compiled, or that may have been. Only C2 takes objects out.
struct JitSites {
  uint64_t objects = 0;
  uint64_t from_c2 = 0;
};
JitSites jit_sites(const capture::StackTree& tree, const SampleCounts& counts, uint16_t event);

// One line for a session that records every object.
std::string exact_note(const JitSites& sites);

}  // namespace hearth::session
