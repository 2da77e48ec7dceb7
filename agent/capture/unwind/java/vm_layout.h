// Locations of HotSpot's data for walks, as plain offsets: read from the running VM's own tables
// (symbols/jvm/vm_structs), used inside signals. A field that was not found leaves its group's flag false, and walks do
// not use that group.
#pragma once

#include <cstdint>

namespace hearth::capture {

// A table of an nmethod: its address is that of the blob, or the pointer at blob + base, plus the int at blob + offset.
struct NmethodTable {
  int base = -1;    // -1: the blob itself
  int offset = -1;  // -1: no addition
};

// Virtual threads, from JDK 21 on: the parts of a continuation on the carrier's stack and on the heap.
struct ContinuationLayout {
  bool known = false;
  uintptr_t return_barrier = 0;  // return address of the outermost thawed frame
  uint64_t enter_special = 0;    // jmethodID of Continuation.enterSpecial; 0: this JVM has no virtual threads
  uintptr_t entry_size = 0;      // of a ContinuationEntry, on the stack
  uintptr_t continuation_tail = 0;
  uintptr_t chunk_parent = 0;  // offsets in a StackChunk
  uintptr_t chunk_size = 0;    // int, words
  uintptr_t chunk_sp = 0;      // int, words from the start of its stack
  uintptr_t chunk_stack = 0;   // start of its stack
};

// Encoding of a reference in a field on the heap.
struct ReferenceLayout {
  bool known = false;
  bool compressed = false;  // 32 bits
  uintptr_t narrow_base = 0;
  uint32_t narrow_shift = 0;
  uintptr_t colour_shift = 0;  // generational ZGC: address of the number of colour bits of a reference; else 0
};

// The java.lang.Thread that a carrier runs, and its name.
struct ThreadObjectLayout {
  bool known = false;
  uintptr_t mounted = 0;    // in JavaThread: address of the reference
  uintptr_t thread_id = 0;  // offsets in Thread
  uintptr_t name = 0;
  uintptr_t string_value = 0;  // in String
  uintptr_t string_coder = 0;
  uintptr_t array_length = 0;  // in byte[]
  uintptr_t array_base = 0;
};

// Encoding of an object's class.
struct ClassLayout {
  bool known = false;
  bool compressed = false;
  bool in_header = false;      // compact headers: the upper bits of the mark word
  uint32_t header_shift = 42;  // markWord::klass_shift, JDK 24 on
  uintptr_t offset = 0;
  uintptr_t narrow_base = 0;
  uint32_t narrow_shift = 0;
};

// The name of a class.
struct ClassNameLayout {
  bool known = false;
  uintptr_t name = 0;           // offset in Klass, of a Symbol*
  uintptr_t symbol_length = 0;  // in Symbol, 16 bits
  uintptr_t symbol_body = 0;
};

// The exception handlers of a method: a table near the end of its ConstMethod, in front of others that it may have,
// each with its length behind it (share/oops/constMethod.hpp). Before JDK 26, where a jmethodID is the address of a
// Method*.
struct HandlerLayout {
  bool known = false;
  uintptr_t size = 0;   // offsets in ConstMethod: 32 bits, in words
  uintptr_t flags = 0;  // the bits below, each for one of the tables
  uint32_t handlers = 0;
  uint32_t generic_signature = 0;
  uint32_t parameters = 0;
  uint32_t checked_exceptions = 0;
  uint32_t annotations[4] = {};      // a pointer each
  bool pool_has_name_index = false;  // the constant of a class has its name's index in bits 16 to 31 (JDK 9 on)
};

// The JVM's counters of a thread's allocated bytes.
struct AllocationLayout {
  bool known = false;
  uintptr_t allocated_bytes = 0;  // offsets in JavaThread: 64 bits, without the part in its TLAB
  uintptr_t tlab_start = 0;
  uintptr_t tlab_top = 0;
  bool has_tlab_limits = false;  // tlab_end and waste_limit are known
  uintptr_t tlab_end = 0;
  uintptr_t waste_limit = 0;  // in words: a TLAB with more space left is not retired
  // The allocation sampler loses count when a TLAB is retired or bypassed (JDK-8356372, fixed in 25).
  bool loses_count = false;
  bool forgets_point = false;  // it also leaves the TLAB without a point after an object outside (before JDK 17)
  bool uses_tlabs = true;
  uintptr_t sample_point = 0;  // offset of the sampler's next point, 64 bits; none of the JVM's tables lists it
};

// The JVM's list of all Java threads.
struct ThreadListLayout {
  bool known = false;
  uintptr_t list = 0;     // address of the pointer to the list
  bool is_chain = false;  // before JDK 14: it points to the first JavaThread, and each has a pointer to the next
  uintptr_t next = 0;     // offset in JavaThread
  uintptr_t length = 0;   // offsets in the list: 32 bits, and the address of the array
  uintptr_t threads = 0;
};

// The thread that holds the lock for which another waits: of Java monitors, and of synchronizers of
// java.util.concurrent that have an owner. Offsets of -1: this JVM has no such field.
struct LockHolderLayout {
  bool has_monitors = false;
  uintptr_t pending = 0;  // in JavaThread: the ObjectMonitor* that it waits to enter
  int waiting = -1;       // the same: that it waits on
  uintptr_t owner = 0;    // in ObjectMonitor: see below
  uintptr_t object = 0;   // in ObjectMonitor: the reference, or its address
  bool object_is_handle = false;
  // An owner is a JavaThread*, or before JDK 22 perhaps an address in its stack; from JDK 24 on it is the number that
  // this field of JavaThread has. 1 (ObjectMonitor::ANONYMOUS_OWNER): the owner has the object on its lock stack.
  int owner_id = -1;
  int stack_base = -1;  // in JavaThread
  int stack_size = -1;
  int lock_stack_top = -1;  // in JavaThread: 32 bits, the end of the used part, from the start of JavaThread
  uintptr_t lock_stack = 0;

  bool has_owners = false;      // of synchronizers
  uintptr_t thread_object = 0;  // in JavaThread, as `object`
  bool thread_object_is_handle = false;
  uintptr_t park_blocker = 0;  // in Thread
  uintptr_t java_thread = 0;
  uintptr_t exclusive_owner = 0;  // in AbstractOwnableSynchronizer
  uintptr_t ownable = 0;          // its Klass*
  uintptr_t super = 0;            // in Klass
};

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
  int block_size = 0;  // size of HeapBlock: the blob follows it
  int blob_name = 0;
  int blob_frame_size = 0;                 // int, in words
  int blob_frame_complete = 0;             // from code begin
  bool blob_frame_complete_short = false;  // int16_t from JDK 23 on
  int blob_code_begin = 0;                 // address, or offset from the blob when blob_code_is_offset (JDK 23)
  int blob_code_end = 0;
  bool blob_code_is_offset = false;
  uintptr_t call_stub_return = 0;  // StubRoutines::_call_stub_return_address
  uintptr_t code_low = 0;          // bounds of all code heaps
  uintptr_t code_high = 0;

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
  int const_idnum = 0;       // u2
  int const_name = -1;       // u2, an index into the constant pool
  uintptr_t pool_bytes = 0;  // of a constant pool without its entries
  int class_constants = -1;
  int pool_holder = 0;
  int class_method_ids = 0;
  bool method_ids_are_handles = false;  // a jmethodID points to its Method*

  // Debug information of a pc in an nmethod: PcDesc records and their scopes (share/code/pcDesc.hpp, debugInfo.hpp).
  // The locations of these tables changed with JDK 9, 23 and 25.
  bool scopes = false;
  NmethodTable scopes_pcs;
  NmethodTable scopes_pcs_end;
  NmethodTable scopes_data;
  NmethodTable metadata;
  NmethodTable deopt_handler;
  NmethodTable deopt_mh_handler;
  int nmethod_orig_pc = 0;     // int: location of a deoptimized frame's pc, from its sp
  int nmethod_comp_level = 0;  // byte or int, little endian
  int nmethod_compile_id = 0;
  uint32_t excluded_bytes = 0;  // of the UNSIGNED5 coding: 1 from JDK 20 on, else 0 (share/utilities/unsigned5.hpp)

  // Interpreter frames (frame_x86.hpp, frame_aarch64.hpp): words from fp.
  bool interpreter = false;
  uintptr_t interpreter_begin = 0;
  uintptr_t interpreter_end = 0;
  int const_size = 0;       // sizeof(ConstMethod): the bytecodes follow it
  int const_code_size = 0;  // u2
  int bcp_word = 0;
  int locals_word = 0;
  int sender_sp_register = 0;   // number of the register with the sender's sp while a method is entered
  uintptr_t entries_begin = 0;  // code of all entries of methods, natives included
  uintptr_t entries_end = 0;

  // Calls from native code into Java: JavaCallWrapper stores the anchor of the Java frames further out.
  bool entries = false;
  int call_wrapper_word = 0;  // from rbp of the call stub's frame
  int wrapper_anchor_sp = 0;
  int wrapper_anchor_pc = 0;
  int wrapper_anchor_fp = 0;

  ReferenceLayout references;
  ContinuationLayout continuations;
  ThreadObjectLayout thread_objects;
  ClassLayout classes;
  AllocationLayout allocations;
  ThreadListLayout thread_list;
  ClassNameLayout class_names;
  HandlerLayout handlers;
  LockHolderLayout lock_holders;

  // The task of a compiler thread: JavaThread, ciEnv, CompileTask, Method.
  bool compilations = false;
  int compiler_env = 0;
  int env_task = 0;
  int task_method = 0;

  // True if everything that walk_vm() needs is known.
  bool can_be_walked() const { return code_cache && threads && methods && scopes && interpreter && entries; }
};

// JavaThreadState (runtime/globalDefinitions.hpp, the same in JDK 8 to 27). In Java and in the VM no other thread walks
// this thread's stack; in native and blocked a safepoint may.
enum JavaThreadState : int {
  kThreadInNative = 4,
  kThreadInVm = 6,
  kThreadInVmTransition = 7,
  kThreadInJava = 8,
  kThreadInJavaTransition = 9,
};

}  // namespace hearth::capture
