// Reads compiled code's own instructions for what its frame looks like: the processor's part of code_frames. One
// implementation for each processor (machine_code_x86.cpp). Signal safe, given a FaultHandler.
#pragma once

#include "capture/arch/registers.h"
#include "capture/unwind/java/code_cache.h"

namespace hearth::capture {

// How far a compiled method's frame exists when it is about to run one of its instructions.
enum class FrameState : uint8_t {
  kNone,      // not begun, or removed: the return address is at sp
  kSaved,     // the caller's fp is at sp, the return address above it
  kReserved,  // sp is that of the built frame, but the caller's fp is still in its register
  kBuilt,     // whole; intrinsics may have pushed words below it
  kUnknown    // before the built frame, by instructions that no known compiler writes
};

// `blob` is a compiled method or a native wrapper and holds `pc`, where a signal interrupted it.
FrameState frame_state(const CodeBlob& blob, uintptr_t pc);

// The same of native code that keeps frame pointers: kNone, kSaved, or kBuilt where fp points at the frame.
FrameState native_frame_state(const Registers& registers);

// Target of the call that ends at `pc`, if the code holds it in a form that compiled code uses to call stubs: E8 rel32,
// or mov r10,imm64; call r10 (49 BA imm64 41 FF D2). 0 for other calls.
uintptr_t called_before(uintptr_t pc);

// Whether the instruction that ends at `pc` is a call: E8 rel32, FF /2 with a register, or with memory and 8 or 32 bit
// displacement.
bool behind_call(uintptr_t pc);
// The same for code of C and C++ compilers, which call by pointers in memory too.
bool behind_native_call(uintptr_t pc);

// Number of words that the code at `pc` pops at once: compiled code pushes them for a stub and pops them right behind
// the call (C1's slow_subtype_check takes two).
uintptr_t popped_at(uintptr_t pc);

}  // namespace hearth::capture
