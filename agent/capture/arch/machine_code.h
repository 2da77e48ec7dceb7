// Reads the state of a frame from the machine code around its pc: the processor's part of code_frames. One
// implementation for each processor (machine_code_x86.cpp). Signal safe, if a FaultHandler is installed.
#pragma once

#include "capture/arch/registers.h"
#include "capture/unwind/java/code_cache.h"

namespace hearth::capture {

// State of a compiled method's frame before one of its instructions.
enum class FrameState : uint8_t {
  kNone,      // not begun, or removed: the return address is at sp
  kSaved,     // the caller's fp is at sp, the return address above it
  kReserved,  // sp has its final value, but the caller's fp is still in its register
  kBuilt,     // complete; intrinsics may have pushed words below it
  kUnknown    // in an unknown prologue
};

// `blob`: the compiled method or native wrapper that contains `pc`, where a signal interrupted it.
FrameState frame_state(const CodeBlob& blob, uintptr_t pc);

// The same for native code with frame pointers: kNone, kSaved, or kBuilt if fp points at the frame.
FrameState native_frame_state(const Registers& registers);

// Returns the target of the call that ends at `pc`, if it has a form in which compiled code calls stubs: E8 rel32, or
// mov r10,imm64; call r10 (49 BA imm64 41 FF D2). Returns 0 for other calls.
uintptr_t called_before(uintptr_t pc);

// True if the instruction that ends at `pc` is a call: E8 rel32, or FF /2 with a register or with memory and 8 or 32
// bits of displacement.
bool behind_call(uintptr_t pc);
// The same for code of C and C++ compilers, which also call by pointers in memory.
bool behind_native_call(uintptr_t pc);

// Returns the number of words that the code at `pc` pops at once: compiled code pushes words for a stub and pops them
// right after the call (C1's slow_subtype_check has two).
uintptr_t popped_at(uintptr_t pc);

// Returns the number of words that the stub which begins at `entry` has pushed by `pc` without a frame, where its
// return address stays in a register; 0 on x86-64.
uintptr_t pushed_without_frame(uintptr_t entry, uintptr_t pc);

}  // namespace hearth::capture
