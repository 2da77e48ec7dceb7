// The walk with AsyncGetCallTrace: native frames down to Java, the Java frames, and the natives that called into Java.
// Signal safe, if a FaultHandler is installed.
#pragma once

#include "capture/unwind/stack_walk.h"

namespace hearth::capture {

// As walk_stack(), but always to the root. `cache`: of this thread; updated.
WalkResult walk_agct(const WalkPlan& plan, const WalkStart& start, WalkScratch* scratch, RootCache* cache);

}  // namespace hearth::capture
