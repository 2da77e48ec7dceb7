// Java frames of the current thread by HotSpot's AsyncGetCallTrace, and the parts of a JavaThread that a walk reads.
#pragma once

#include <jni.h>
#include <ucontext.h>

#include <cstdint>

#include "capture/arch/registers.h"
#include "capture/unwind/java/vm_layout.h"

namespace hearth::capture {

// AsyncGetCallTrace's own types (share/prims/forte.cpp; no header of the JDK has them).
struct CallFrame {
  jint bci;  // or a negative number for a native method
  jmethodID method;
};
struct CallTrace {
  JNIEnv* env;
  jint frame_count;  // or one of the negative reasons
  CallFrame* frames;
};
using AsyncGetCallTrace = void (*)(CallTrace* trace, jint depth, void* ucontext);

// Locates the current thread's JavaThread without a call of the JVM.
struct ThreadAccess {
  int key = -1;                 // pthread key under which libjvm stores the Thread*
  intptr_t env_offset = 0;      // JNIEnv inside a JavaThread
  uintptr_t env_functions = 0;  // the first word of the JNIEnv in every JavaThread
  AsyncGetCallTrace get_call_trace = nullptr;
};

// The JavaThread of the current thread. Signal safe, if a FaultHandler is installed.
class CurrentJavaThread {
 public:
  // is_java() is false on threads that the JVM does not know as Java threads.
  CurrentJavaThread(const VmLayout& vm, const ThreadAccess& access);
  bool is_java() const { return thread_ != 0; }
  uintptr_t address() const { return thread_; }

  int state() const;
  uintptr_t anchor_sp() const;
  uintptr_t anchor_pc() const;
  uintptr_t anchor_fp() const;

  // Returned if the call faulted, instead of a number of frames or AsyncGetCallTrace's negative reason.
  static constexpr int kFaulted = -100;
  // Starts from the thread's anchor if it has a walkable one, else from `registers`. `shown`: memory for a copy of
  // `interrupted` with `registers`, too large for a handler's stack.
  int call_trace(const ucontext_t* interrupted, const Registers& registers, ucontext_t* shown, CallFrame* frames,
                 int depth) const;
  // The same with the anchor set to `registers` during the call. Only in state kThreadInVm, in which no safepoint
  // operation reads the anchor.
  int call_trace_from_anchor(const ucontext_t* interrupted, const Registers& registers, ucontext_t* shown,
                             CallFrame* frames, int depth) const;

 private:
  const VmLayout& vm_;
  const ThreadAccess& access_;
  uintptr_t thread_ = 0;
};

}  // namespace hearth::capture
