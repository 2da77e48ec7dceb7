// How far apart the samples of the TLAB hooks are: they come where TLABs end, so seldom where they were asked for.
#pragma once

#include <cstdint>

#include "capture/stack_tree.h"
#include "session/sample_counts.h"

namespace hearth::session {

// Bytes that a sample of `event` stands for on average, but for objects outside of TLABs, of which each large one is
// met; `asked` where that is more, or there are none.
int64_t tlab_step(const capture::StackTree& tree, const SampleCounts& counts, uint16_t event, int64_t asked);

}  // namespace hearth::session
