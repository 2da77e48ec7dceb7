#include "capture/unwind/stack_walk.h"

#include "capture/unwind/agct_walk.h"
#include "capture/unwind/vm_walk.h"

namespace hearth::capture {

WalkResult walk_stack(const WalkPlan& plan, const ucontext_t* interrupted, uint32_t kernel_count, WalkScratch* scratch,
                      StackMemory* memory, RootMemory* roots) {
  if (plan.java_style == JavaStyle::kAsyncGetCallTrace)
    return walk_agct(plan, interrupted, kernel_count, scratch, roots);
  WalkResult first = walk_vm(plan, interrupted, kernel_count, scratch, memory);
  // Of parked frames AsyncGetCallTrace knows nothing.
  if (first.failure == Marker::kCount || first.failure == Marker::kParkedFrames || first.truncated) return first;
  WalkResult second = walk_agct(plan, interrupted, kernel_count, scratch, roots);
  second.recovered = second.failure == Marker::kCount;
  // Where neither came through to the root, the longer one is nearer; ours says besides that it broke off.
  if (second.recovered && (second.whole || second.java_frames > first.java_frames)) return second;
  return walk_vm(plan, interrupted, kernel_count, scratch, memory);
}

}  // namespace hearth::capture
