// Frames that a signal interrupts while they are built, where registers know more than the stack. Signal safe, if a
// FaultHandler is installed.
#pragma once

#include <ucontext.h>

#include "capture/arch/registers.h"
#include "capture/unwind/java/vm_layout.h"
#include "capture/unwind/native/native_rules.h"

namespace hearth::capture {

constexpr uintptr_t kMostArgumentBytes = 4096;  // 255 arguments of two words each

// For an interruption in an adapter or before a method's interpreted frame is built: `caller` was found by the return
// address right below its sp. Arguments may be between the two; then a register has the caller's own sp
// (sharedRuntime_x86_64.cpp and _aarch64.cpp, gen_i2c_adapter and gen_c2i_adapter; templateInterpreterGenerator).
void skip_arguments(const VmLayout& vm, const ucontext_t* interrupted, Registers* caller);

// For an interruption in a stub that returns to `registers`, which are in the interpreter's entry of a method such as
// CRC32C.updateBytes: it has no frame. Steps to the method's caller, with its sp in a register, or returns false
// (cpu/x86/ templateInterpreterGenerator_x86_64.cpp, generate_CRC32C_updateBytes_entry).
bool step_out_of_frameless_entry(const VmLayout& vm, const ucontext_t* interrupted, Registers* registers);

// For an interruption in a stub that the JVM's own code called (to flush an instruction cache, or the call stub on its
// way into Java): steps to that native frame, or returns false.
bool step_to_native_caller(const NativeMap* natives, Registers* registers);

}  // namespace hearth::capture
