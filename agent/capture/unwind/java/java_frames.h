// Java frames of the current thread by HotSpot's AsyncGetCallTrace, and what of the thread itself a walk needs to see.
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

// How to find the current thread's JavaThread without calling the JVM.
struct ThreadAccess {
  int key = -1;                 // pthread key under which libjvm keeps the Thread*
  intptr_t env_offset = 0;      // JNIEnv inside a JavaThread
  uintptr_t env_functions = 0;  // what its first word is in every JavaThread
  AsyncGetCallTrace get_call_trace = nullptr;
};

// A JavaThread seen from itself, inside a signal. Signal safe, given a FaultHandler.
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

  // Number of frames, or AsyncGetCallTrace's negative reason, or kFaulted.
  static constexpr int kFaulted = -100;
  // `shown` is written: a copy of `interrupted` with `registers`, too large for the stack of a handler.
  // From the thread's anchor when it has a walkable one, else from `registers`.
  int call_trace(const ucontext_t* interrupted, const Registers& registers, ucontext_t* shown, CallFrame* frames,
                 int depth) const;
  // The same with the anchor set to `registers` for the length of the call. Only in state kThreadInVm, in which no
  // safepoint operation reads the anchor.
  int call_trace_from_anchor(const ucontext_t* interrupted, const Registers& registers, ucontext_t* shown,
                             CallFrame* frames, int depth) const;

 private:
  const VmLayout& vm_;
  const ThreadAccess& access_;
  uintptr_t thread_ = 0;
};

}  // namespace hearth::capture
