// What a walk leaves behind for the next one of the same thread. Signal safe.
#pragma once

#include "capture/unwind/stack_walk.h"

namespace hearth::capture {

// Brings the memory up to date once the new marks have their nodes.
void remember_walk(const WalkResult& result, const WalkScratch& scratch, StackMemory* memory);

}  // namespace hearth::capture
