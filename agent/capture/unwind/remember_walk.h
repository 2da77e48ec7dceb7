// Update of the stack cache after a walk. Signal safe.
#pragma once

#include "capture/unwind/stack_walk.h"

namespace hearth::capture {

// Replaces the cache's inner checkpoints by the walk's new ones, which must have their nodes.
void remember_walk(const WalkResult& result, const WalkScratch& scratch, StackMemory* memory);

}  // namespace hearth::capture
