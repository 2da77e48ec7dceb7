// Where HotSpot keeps what a walk needs, as plain offsets: read from the running VM's own tables (symbols/vm_structs),
// used inside signals. Every field that could not be found leaves its group's flag false, and the walk does without
// that group.
#pragma once

#include <cstdint>

namespace hearth::capture {

struct VmLayout {
  static constexpr int kMaxCodeHeaps = 8;

  // The code cache: CodeHeap segment maps and CodeBlob headers.
  bool code_cache = false;
  uintptr_t heaps[kMaxCodeHeaps] = {};  // CodeHeap*
  int heap_count = 0;
  int heap_memory_low = 0;  // offsets in CodeHeap
  int heap_memory_high = 0;
  int heap_segmap_low = 0;
  int heap_log2_segment_size = 0;
  int block_used = 0;  // offset in HeapBlock
  int block_size = 0;  // size of HeapBlock: the blob starts behind it
  int blob_name = 0;
  int blob_frame_size = 0;                 // int, in words
  int blob_frame_complete = 0;             // from code begin
  bool blob_frame_complete_short = false;  // int16_t from JDK 23 on
  int blob_code_begin = 0;                 // address, or offset from the blob when blob_code_is_offset (JDK 23)
  int blob_code_end = 0;
  bool blob_code_is_offset = false;
  uintptr_t call_stub_return = 0;  // StubRoutines::_call_stub_return_address

  // The current thread.
  bool threads = false;
  int thread_state = 0;  // int, JavaThreadState
  int anchor_sp = 0;     // offsets in JavaThread
  int anchor_pc = 0;
  int anchor_fp = 0;

  // Method* to jmethodID. JDK 26 made the id opaque: then false.
  bool methods = false;
  int nmethod_method = 0;
  int method_const = 0;
  int const_constants = 0;
  int const_idnum = 0;  // u2
  int pool_holder = 0;
  int class_method_ids = 0;
};

// JavaThreadState (runtime/globalDefinitions.hpp, the same in JDK 8 to 27). In Java and in the VM nobody else walks
// this thread's stack; in native and blocked a safepoint may.
enum JavaThreadState : int {
  kThreadInNative = 4,
  kThreadInVm = 6,
  kThreadInVmTransition = 7,
  kThreadInJava = 8,
  kThreadInJavaTransition = 9,
};

}  // namespace hearth::capture
