// The effective sampling interval of the TLAB hooks: they sample where TLABs end, which is rarely at the chosen
// interval.
#pragma once

#include <cstdint>

#include "capture/store/stack_tree.h"
#include "session/counting/sample_counts.h"

namespace hearth::naming {

// Returns the mean bytes of the samples of `event` in TLABs, at least `asked`, and `asked` if there are none. Leaves
// out objects outside of TLABs, as every large one is sampled.
int64_t tlab_effective_interval(const capture::StackTree& tree, const session::SampleCounts& counts, uint16_t event,
                                int64_t asked);

}  // namespace hearth::naming
