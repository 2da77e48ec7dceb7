// The join: kernel frames, native frames down to Java, Java frames, and the natives that called into Java, as one
// stack. Signal safe, given a FaultHandler.
#pragma once

#include <ucontext.h>

#include <atomic>
#include <cstdint>

#include "capture/frame.h"
#include "capture/unwind/java/code_cache.h"
#include "capture/unwind/java/compiled_scopes.h"
#include "capture/unwind/java/java_frames.h"
#include "capture/unwind/java/virtual_thread.h"
#include "capture/unwind/native/native_frames.h"
#include "capture/unwind/native/pc_cache.h"
#include "capture/unwind/native/rule_cache.h"
#include "capture/unwind/root_memory.h"
#include "capture/unwind/stack_memory.h"

namespace hearth::capture {

enum class NativeStyle : uint8_t { kDwarf, kFramePointer, kNone };

// Who tells the Java frames.
enum class JavaStyle : uint8_t {
  kVm,                 // our walker; where it does not come through, AsyncGetCallTrace
  kAsyncGetCallTrace,  // that alone
  kCompare             // kVm, and each sample is held against AsyncGetCallTrace
};

struct CodeRange {
  uintptr_t begin = 0, end = 0;
  bool has(uintptr_t pc) const { return pc - begin < end - begin; }
};

// How to walk; fixed while a session runs, but for `natives`, which is replaced when libraries are loaded.
struct WalkPlan {
  VmLayout vm;
  ThreadAccess access;
  std::atomic<const NativeMap*> natives{nullptr};
  mutable RuleCache rules;  // of `natives`; cleared when that is replaced
  mutable PcCache pcs;
  JavaStyle java_style = JavaStyle::kVm;
  bool tells_virtual_threads = false;  // apart from each other
  mutable VirtualThreadNames virtual_threads;
  bool receivers = false;     // a frame for the class that a virtual call is dispatched on
  bool compilations = false;  // one for the method that a compiler thread compiles
  NativeStyle native_style = NativeStyle::kDwarf;
  uint32_t java_depth = 2048;
  uint32_t java_kept = 2048;  // Java frames of a deeper stack, from the innermost
  CodeRange hidden;           // native code that has no frame in stacks
  bool pc_frames = false;     // the interrupted pc as the innermost frame
};

// Where the walked stack begins.
enum class WalkFrom : uint8_t {
  kInterrupted,   // at the registers of an interrupted thread
  kLastJavaFrame  // where Java called the JVM, which calls us: what is between is the JVM's and of no interest. A
                  // thread without Java frames is walked from its registers
};

struct WalkStart {
  const ucontext_t* registers;  // of the current thread
  WalkFrom from = WalkFrom::kInterrupted;
  uint32_t known_count = 0;  // so many of WalkScratch::frames are there already, as the kernel part
};

constexpr uint32_t kMaxJavaDepth = 8192;
constexpr uint32_t kMaxNativeFrames = 192;
constexpr uint32_t kMaxRootFrames = 48;
constexpr uint32_t kMaxKernelFrames = 127;
constexpr uint32_t kMaxFrames = kMaxJavaDepth + kMaxNativeFrames + kMaxRootFrames + kMaxKernelFrames + 8;

// What a walk needs to write on. Large: it never lies on the interrupted thread's stack.
struct WalkScratch {
  static constexpr uint32_t kMarks = 4096;
  static constexpr uint32_t kWords = 16384;
  struct NewMark {
    StackMemory::Mark mark;  // words: into the words below; depth: Java frames further in
    uint32_t frame;          // of frames, where this mark's begin
  };

  Frame frames[kMaxFrames];
  NewMark marks[kMarks];
  StackMemory::Word words[kWords];
  bool marks_overflow;
  Frame scopes[kMaxScopes];
  Frame roots[kMaxRootFrames];
  CallFrame java[kMaxJavaDepth];
  ucontext_t context;  // what AsyncGetCallTrace is shown
  RootMemory::Slot passed[RootMemory::kSlots];
  RootMemory no_roots;  // for a walk that may not use the thread's own
};

struct WalkResult {
  uint32_t frame_count = 0;  // in WalkScratch::frames, innermost first
  // What is further out than these, when the walk met the last one.
  bool joined = false;
  uint32_t base_node = 0;
  uint32_t base_depth = 0;    // Java frames
  uint32_t joined_marks = 0;  // of the memory: those that go on standing
  uint32_t mark_count = 0;    // new ones
  uint32_t java_frames = 0;   // new ones
  uint32_t root_count = 0;    // of those, the natives below the outermost Java frame
  bool has_java = false;      // the thread had Java frames, walked or not
  bool whole = false;         // reached the thread's root by way of all frames that are shown
  bool recovered = false;     // the first try for Java frames failed, a later one did not
  bool truncated = false;
  Marker failure = Marker::kCount;  // why the Java frames are missing; kCount: they are not
  bool root_missing = false;        // the walk lost its way before the thread's root
  bool natives_missing = false;     // of natives that are shown, some may have been passed by

  bool lacks_none() const { return failure == Marker::kCount && !truncated && !natives_missing; }
};

// How the natives of this walk are stepped over, those above the thread's Java frames or those at its root.
NativeCode native_code(const WalkPlan& plan, const CurrentJavaThread& thread, bool at_root);

// Walks the current thread.
// `memory` (null: there is none) and `roots` are this thread's; `roots` is brought up to date, `memory` is by
// remember_walk.
WalkResult walk_stack(const WalkPlan& plan, const WalkStart& start, WalkScratch* scratch, StackMemory* memory,
                      RootMemory* roots);

}  // namespace hearth::capture
