#include "capture/unwind/stack_walk.h"

#include "capture/unwind/agct_walk.h"
#include "capture/unwind/vm_walk.h"

namespace hearth::capture {

WalkResult walk_stack(const WalkPlan& plan, const WalkStart& start, WalkScratch* scratch, StackMemory* memory,
                      RootMemory* roots) {
  // AsyncGetCallTrace does not start at the stub through which compiled code calls the JVM.
  bool can_ask = start.from == WalkFrom::kInterrupted || !plan.vm.can_be_walked();
  if (plan.java_style == JavaStyle::kAsyncGetCallTrace && can_ask) return walk_agct(plan, start, scratch, roots);
  WalkResult first = walk_vm(plan, start, scratch, memory);
  // Of parked frames AsyncGetCallTrace knows nothing.
  if (first.failure == Marker::kCount || first.failure == Marker::kParkedFrames || first.truncated) return first;
  WalkResult second = walk_agct(plan, start, scratch, roots);
  second.recovered = second.failure == Marker::kCount;
  // Where neither came through to the root, the longer one is nearer; ours says besides that it broke off.
  if (second.recovered && (second.whole || second.java_frames > first.java_frames)) return second;
  return walk_vm(plan, start, scratch, memory);
}

}  // namespace hearth::capture
