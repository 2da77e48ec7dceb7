// The complete walk: kernel frames, native frames down to Java, Java frames, and the natives that called into Java, as
// one stack. Signal safe, if a FaultHandler is installed.
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
#include "capture/unwind/root_cache.h"
#include "capture/unwind/stack_cache.h"

namespace hearth::capture {

enum class NativeStyle : uint8_t { kDwarf, kFramePointer, kNone };

// Walker of the Java frames.
enum class JavaStyle : uint8_t {
  kVm,                 // our walker; if it fails, AsyncGetCallTrace
  kAsyncGetCallTrace,  // only AsyncGetCallTrace
  kCompare             // kVm, and a comparison of each sample with AsyncGetCallTrace
};

struct CodeRange {
  uintptr_t begin = 0, end = 0;
  bool has(uintptr_t pc) const { return pc - begin < end - begin; }
};

// Configuration of walks; fixed during a session, except `natives`, which is replaced when libraries are loaded.
struct WalkPlan {
  VmLayout vm;
  ThreadAccess access;
  std::atomic<const NativeMap*> natives{nullptr};
  mutable RuleCache rules;  // of `natives`; cleared with each replacement
  mutable PcCache pcs;
  JavaStyle java_style = JavaStyle::kVm;
  bool distinguishes_virtual_threads = false;  // a frame with the number of each
  mutable VirtualThreadNames virtual_threads;
  bool receivers = false;     // a frame for the class that a virtual call is dispatched on
  bool compilations = false;  // a frame for the method that a compiler thread compiles
  NativeStyle native_style = NativeStyle::kDwarf;
  bool natives_between =
      false;  // frames of the JVM and of libraries between Java frames, and of the stub that calls Java
  uint32_t java_depth = 2048;
  uint32_t java_kept = 2048;  // innermost Java frames to keep of a deeper stack
  CodeRange hidden;           // native code without frames in stacks
  bool pc_frames = false;     // the interrupted pc as the innermost frame
};

// The start of the walked stack.
enum class WalkFrom : uint8_t {
  kInterrupted,   // at the registers of an interrupted thread
  kLastJavaFrame  // where Java called the JVM, which calls us: frames of the JVM are left out. A thread without Java
                  // frames is walked from its registers
};

struct WalkStart {
  const ucontext_t* registers;  // of the current thread
  WalkFrom from = WalkFrom::kInterrupted;
  uint32_t known_count = 0;  // frames that are in WalkScratch::frames already, as the kernel part
};

constexpr uint32_t kMaxJavaDepth = 8192;
constexpr uint32_t kMaxNativeFrames = 192;
constexpr uint32_t kMaxFramesBetween = 1024;
constexpr uint32_t kMaxRootFrames = 48;
constexpr uint32_t kMaxKernelFrames = 127;
constexpr uint32_t kMaxFrames =
    kMaxJavaDepth + kMaxNativeFrames + kMaxFramesBetween + kMaxRootFrames + kMaxKernelFrames + 8;

// Memory for a walk. Large: never on the interrupted thread's stack.
struct WalkScratch {
  static constexpr uint32_t kCheckpoints = 4096;
  static constexpr uint32_t kWords = 16384;
  struct NewCheckpoint {
    StackCache::Checkpoint checkpoint;  // its words: index into the words below; its depth: Java frames further in
    uint32_t frame;                     // index of its first frame
  };

  Frame frames[kMaxFrames];
  NewCheckpoint checkpoints[kCheckpoints];
  StackCache::Word words[kWords];
  bool checkpoints_overflow;
  Frame scopes[kMaxScopes];
  Frame roots[kMaxRootFrames];
  CallFrame java[kMaxJavaDepth];
  ucontext_t context;  // for AsyncGetCallTrace
  RootCache::Slot passed[RootCache::kSlots];
  RootCache no_roots;  // for a walk that must not use the thread's own
};

struct WalkResult {
  uint32_t frame_count = 0;  // in WalkScratch::frames, innermost first
  // The cached outer part, if the walk reached one of the cache's checkpoints.
  bool joined = false;
  uint32_t base_node = 0;
  uint32_t base_depth = 0;          // Java frames
  uint32_t joined_checkpoints = 0;  // checkpoints of the cache that stay valid
  uint32_t checkpoint_count = 0;    // new ones
  uint32_t java_frames = 0;         // new ones
  uint32_t root_count = 0;          // of the new frames, the natives below the outermost Java frame
  bool has_java = false;            // the thread had Java frames, walked or not
  bool whole = false;               // reached the thread's root through all visible frames
  bool recovered = false;           // the first walk of the Java frames failed, a later one succeeded
  bool truncated = false;
  Marker failure = Marker::kCount;  // why Java frames are missing; kCount: they are complete
  bool root_missing = false;        // the walk failed before the thread's root
  bool natives_missing = false;     // visible natives may have been skipped

  bool lacks_none() const { return failure == Marker::kCount && !truncated && !natives_missing; }
};

// Returns the sources of steps over natives: those above the thread's Java frames, or those at its root.
NativeCode native_code(const WalkPlan& plan, const CurrentJavaThread& thread, bool at_root);

// Walks the current thread. `cache` (may be null) and `roots` are this thread's; `roots` is updated, `cache` only
// by update_stack_cache().
WalkResult walk_stack(const WalkPlan& plan, const WalkStart& start, WalkScratch* scratch, StackCache* cache,
                      RootCache* roots);

}  // namespace hearth::capture
