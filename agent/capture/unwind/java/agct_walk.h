// The walk with AsyncGetCallTrace: natives down to Java, its Java frames, and the natives that called into Java. Signal
// safe, given a FaultHandler.
#pragma once

#include "capture/unwind/stack_walk.h"

namespace hearth::capture {

// As walk_stack; always to the root. `memory` is this thread's, and is brought up to date.
WalkResult walk_agct(const WalkPlan& plan, const WalkStart& start, WalkScratch* scratch, RootMemory* memory);

}  // namespace hearth::capture
