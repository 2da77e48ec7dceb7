// The walk with AsyncGetCallTrace: native frames down to Java, the Java frames, and the natives that called into Java.
// Signal safe, if a FaultHandler is installed.
#pragma once

#include "capture/unwind/stack_walk.h"

namespace hearth::capture {

// As walk_stack(), but always to the root. `memory`: of this thread; updated.
WalkResult walk_agct(const WalkPlan& plan, const WalkStart& start, WalkScratch* scratch, RootMemory* memory);

}  // namespace hearth::capture
