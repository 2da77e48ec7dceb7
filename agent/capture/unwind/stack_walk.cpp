#include "capture/unwind/stack_walk.h"

#include "capture/unwind/java/agct_walk.h"
#include "capture/unwind/java/vm_walk.h"

namespace hearth::capture {

NativeCode native_code(const WalkPlan& plan, const CurrentJavaThread& thread, bool at_root) {
  NativeCode code = {plan.natives.load(std::memory_order_acquire), &plan.rules};
  if (thread.is_java() && !at_root) code.last_java_sp = thread.anchor_sp();
  if (plan.native_style != NativeStyle::kFramePointer) return code;
  // Without an anchor compiled code may have called natives, and the start of its frames is unknown: the frame pointer,
  // which compiled code need not change, may be that of a native further out.
  bool may_skip_java = thread.is_java() && !at_root && code.last_java_sp == 0;
  code.frame_pointers = may_skip_java ? FramePointers::kTrusted : FramePointers::kFirst;
  return code;
}

WalkResult walk_stack(const WalkPlan& plan, const WalkStart& start, WalkScratch* scratch, StackCache* cache,
                      RootCache* roots) {
  // AsyncGetCallTrace cannot start at the stub through which compiled code calls the JVM.
  bool can_ask = start.from == WalkFrom::kInterrupted || !plan.vm.can_be_walked();
  if (plan.java_style == JavaStyle::kAsyncGetCallTrace && can_ask) return walk_agct(plan, start, scratch, roots);
  WalkResult first = walk_vm(plan, start, scratch, cache);
  // AsyncGetCallTrace does not support parked frames.
  if (first.failure == Marker::kCount || first.failure == Marker::kParkedFrames || first.truncated) return first;
  WalkResult second = walk_agct(plan, start, scratch, roots);
  second.recovered = second.failure == Marker::kCount;
  // If neither reached the root, the longer stack is better; our walker also marks where it stopped, so it runs again.
  if (second.recovered && (second.whole || second.java_frames > first.java_frames)) return second;
  return walk_vm(plan, start, scratch, cache);
}

}  // namespace hearth::capture
