// The walker over HotSpot's own structures, frame by frame from the interrupted instruction to the thread's root. It
// reads methods from the code's debug information and from the interpreter's frames, and passes calls from native code
// into Java by the JVM's anchors. It stops at a frame that the thread's last walk passed. Signal safe, if a
// FaultHandler is installed.
#pragma once

#include "capture/unwind/stack_walk.h"

namespace hearth::capture {

// As walk_stack(); writes result.checkpoint_count new checkpoints to scratch->checkpoints, innermost first, for
// update_stack_cache().
WalkResult walk_vm(const WalkPlan& plan, const WalkStart& start, WalkScratch* scratch, StackCache* cache);

}  // namespace hearth::capture
