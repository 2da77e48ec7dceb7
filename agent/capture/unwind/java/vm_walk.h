// The walker over HotSpot's own structures: frame by frame from the interrupted instruction to the thread's root,
// methods read from the code's debug information and the interpreter's frames, calls from native code into Java passed
// by the anchors that the JVM left for itself. Stops where the thread's last walk passed. Signal safe, given a
// FaultHandler.
#pragma once

#include "capture/unwind/stack_walk.h"

namespace hearth::capture {

// As walk_stack; `result.marks` new marks are left in scratch->marks, innermost first, for remember_walk.
WalkResult walk_vm(const WalkPlan& plan, const WalkStart& start, WalkScratch* scratch, StackMemory* memory);

}  // namespace hearth::capture
