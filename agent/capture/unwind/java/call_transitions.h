// Frames that a signal finds half made, where the interrupted registers know more than the stack. Signal safe, given a
// FaultHandler.
#pragma once

#include <ucontext.h>

#include "capture/arch/registers.h"
#include "capture/unwind/java/vm_layout.h"
#include "capture/unwind/native/native_rules.h"

namespace hearth::capture {

constexpr uintptr_t kMostArgumentBytes = 4096;  // 255 arguments of two words each

// Interrupted in an adapter or before a method's interpreted frame is built: `caller` was found by the return address
// right below its sp. Arguments may lie between the two; then r13 holds the caller's own sp (cpu/x86/
// sharedRuntime_x86_64.cpp, gen_i2c_adapter and gen_c2i_adapter; templateInterpreterGenerator_x86.cpp).
void skip_arguments(const ucontext_t* interrupted, Registers* caller);

// Interrupted in a stub that returns to `registers`, which is the interpreter's entry of a method such as
// CRC32C.updateBytes: it makes no frame. Steps to who called the method, whose sp is in r13, or returns false (cpu/x86/
// templateInterpreterGenerator_x86_64.cpp, generate_CRC32C_updateBytes_entry).
bool step_out_of_frameless_entry(const VmLayout& vm, const ucontext_t* interrupted, Registers* registers);

// Interrupted in a stub that the JVM's own code called (an instruction cache to flush, the call stub on its way into
// Java): steps to that native frame, or returns false.
bool step_to_native_caller(const NativeMap* natives, Registers* registers);

}  // namespace hearth::capture
