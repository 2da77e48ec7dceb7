// Update of the stack cache after a walk. Signal safe.
#pragma once

#include "capture/unwind/stack_walk.h"

namespace hearth::capture {

// Replaces the cache's inner checkpoints by the walk's new ones, which must have their nodes.
void update_stack_cache(const WalkResult& result, const WalkScratch& scratch, StackCache* cache);

}  // namespace hearth::capture
