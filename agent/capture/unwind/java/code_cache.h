// HotSpot's code cache, read as its own frame walker reads it: which blob a pc is in and how large that blob's frames
// are. Sources: share/code/codeCache.hpp, share/memory/heap.cpp (segment map), share/code/codeBlob.hpp. Signal safe,
// given a FaultHandler.
#pragma once

#include "capture/unwind/java/vm_layout.h"

namespace hearth::capture {

enum class BlobKind : uint8_t {
  kNone,      // not in the code cache, or in a free part of it
  kCompiled,  // nmethod: a Java method, perhaps with others inlined
  kNative,    // native method's wrapper
  kInterpreter,
  kFramed,    // runtime stubs: a frame of known size
  kUnframed,  // StubRoutines, adapters, vtable stubs: they keep their frame as they like
};

struct CodeBlob {
  BlobKind kind = BlobKind::kNone;
  uintptr_t address = 0;
  uintptr_t code_begin = 0;
  uintptr_t code_end = 0;
  uintptr_t frame_bytes = 0;
  bool dispatches = false;  // a vtable or itable stub
  bool passes_on = false;   // it, or an adapter: goes on to the method, keeps nothing of earlier calls
  int frame_complete = 0;   // bytes from code_begin to where the frame is built; negative: never
};

// True when pc is anywhere in what is reserved for the code cache.
bool in_code_cache(const VmLayout& vm, uintptr_t pc);

inline bool in_interpreter(const VmLayout& vm, uintptr_t pc) {
  return pc >= vm.interpreter_begin && pc < vm.interpreter_end;
}

CodeBlob find_blob(const VmLayout& vm, uintptr_t pc);

// Whether what find_blob() found has not been freed since. Of a place that got another owner it says nothing.
bool block_is_used(const VmLayout& vm, const CodeBlob& blob);

// jmethodID of a Method*, or 0 when it has none (yet) or the pointer is not a Method.
uint64_t method_id(const VmLayout& vm, uintptr_t method);

}  // namespace hearth::capture
