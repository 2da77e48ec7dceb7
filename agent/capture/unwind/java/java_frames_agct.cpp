#include <pthread.h>

#include "capture/faults/safe_load.h"
#include "capture/unwind/java/java_frames.h"

namespace hearth::capture {
namespace {

void store(uintptr_t address, uintptr_t value) {
  *reinterpret_cast<volatile uintptr_t*>(address) = value;
}

void call_it(void* trace, void* depth, void* access_and_context) {
  auto* both = static_cast<void**>(access_and_context);
  auto* access = static_cast<const ThreadAccess*>(both[0]);
  access->get_call_trace(static_cast<CallTrace*>(trace), *static_cast<jint*>(depth), both[1]);
}

}  // namespace

CurrentJavaThread::CurrentJavaThread(const VmLayout& vm, const ThreadAccess& access) : vm_(vm), access_(access) {
  if (access.key < 0 || access.get_call_trace == nullptr || !vm.threads) return;
  auto thread = reinterpret_cast<uintptr_t>(pthread_getspecific(static_cast<pthread_key_t>(access.key)));
  if (thread == 0) return;
  // GC and other VM threads use the same key but have no JNIEnv at this offset.
  if (load(thread + access.env_offset) == access.env_functions) thread_ = thread;
}

int CurrentJavaThread::state() const {
  return static_cast<int>(load32(thread_ + vm_.thread_state));
}
uintptr_t CurrentJavaThread::anchor_sp() const {
  return load(thread_ + vm_.anchor_sp);
}
uintptr_t CurrentJavaThread::anchor_pc() const {
  return load(thread_ + vm_.anchor_pc);
}
uintptr_t CurrentJavaThread::anchor_fp() const {
  return load(thread_ + vm_.anchor_fp);
}

int CurrentJavaThread::call_trace(const ucontext_t* interrupted, const Registers& registers, ucontext_t* shown,
                                  CallFrame* frames, int depth) const {
  *shown = *interrupted;
  registers.put_into(shown);
  CallTrace trace = {reinterpret_cast<JNIEnv*>(thread_ + access_.env_offset), 0, frames};
  jint limit = depth;
  void* both[2] = {const_cast<ThreadAccess*>(&access_), shown};
  return guarded(call_it, &trace, &limit, both) ? trace.frame_count : kFaulted;
}

int CurrentJavaThread::call_trace_from_anchor(const ucontext_t* interrupted, const Registers& registers,
                                              ucontext_t* shown, CallFrame* frames, int depth) const {
  uintptr_t sp = load(thread_ + vm_.anchor_sp);
  uintptr_t pc = load(thread_ + vm_.anchor_pc);
  uintptr_t fp = load(thread_ + vm_.anchor_fp);
  // sp is written last and cleared first: an anchor without it means "no Java frame", never a wrong one.
  store(thread_ + vm_.anchor_sp, 0);
  store(thread_ + vm_.anchor_pc, registers.pc);
  store(thread_ + vm_.anchor_fp, registers.fp);
  store(thread_ + vm_.anchor_sp, registers.sp);
  int result = call_trace(interrupted, registers, shown, frames, depth);
  store(thread_ + vm_.anchor_sp, 0);
  store(thread_ + vm_.anchor_pc, pc);
  store(thread_ + vm_.anchor_fp, fp);
  store(thread_ + vm_.anchor_sp, sp);
  return result;
}

}  // namespace hearth::capture
