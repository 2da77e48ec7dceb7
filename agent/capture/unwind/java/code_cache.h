// HotSpot's code cache, read like its own frame walker does: the blob that contains a pc, and the size of the blob's
// frames. Sources: share/code/codeCache.hpp, share/memory/heap.cpp (segment map), share/code/codeBlob.hpp. Signal safe,
// if a FaultHandler is installed.
#pragma once

#include "capture/unwind/java/vm_layout.h"

namespace hearth::capture {

enum class BlobKind : uint8_t {
  kNone,      // not in the code cache, or in a free block
  kCompiled,  // nmethod: a Java method, perhaps with others inlined
  kNative,    // native method's wrapper
  kInterpreter,
  kFramed,    // runtime stubs: a frame of known size
  kUnframed,  // StubRoutines, adapters, vtable stubs: frames of any form
};

struct CodeBlob {
  BlobKind kind = BlobKind::kNone;
  uintptr_t address = 0;
  uintptr_t code_begin = 0;
  uintptr_t code_end = 0;
  uintptr_t frame_bytes = 0;
  bool dispatches = false;  // a vtable or itable stub
  bool passes_on = false;   // dispatches, or an adapter: jumps to the method, and keeps no words of earlier calls
  int frame_complete = 0;   // bytes from code_begin to where the frame is built; negative: never
};

// True if pc is in the reserved address range of the code cache.
bool in_code_cache(const VmLayout& vm, uintptr_t pc);

inline bool in_interpreter(const VmLayout& vm, uintptr_t pc) {
  return pc >= vm.interpreter_begin && pc < vm.interpreter_end;
}

CodeBlob find_blob(const VmLayout& vm, uintptr_t pc);

// True if the block that find_blob() found has not been freed since. Does not detect a new owner.
bool block_is_used(const VmLayout& vm, const CodeBlob& blob);

// Returns the jmethodID of a Method*, that of the current version if its class was redefined, or 0 if it has none (yet)
// or the pointer is not a Method.
uint64_t method_id(const VmLayout& vm, uintptr_t method);

}  // namespace hearth::capture
