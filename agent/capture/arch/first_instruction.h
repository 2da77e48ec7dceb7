// Emulates the first instruction of a function, which a breakpoint replaces. One implementation for each processor.
// Signal safe, and calls no other function: the breakpoint may be in the called one.
#pragma once

#include <ucontext.h>

#include <cstddef>
#include <cstdint>

#if defined(__x86_64__)
#include "capture/arch/x86_64/first_instruction.h"
#elif defined(__aarch64__)
#include "capture/arch/aarch64/first_instruction.h"
#endif

namespace hearth::capture {

// `code`: FirstInstruction::kLongest bytes at `address`. False: the instruction is none of FirstInstruction::Kind,
// which begin about six of seven functions of libjvm.
bool decode(const uint8_t* code, uintptr_t address, FirstInstruction* instruction);

// Executes the instruction at `address` on a signal's context: moves the pc from before it to after it.
void carry_out(const FirstInstruction& instruction, uintptr_t address, ucontext_t* interrupted);

}  // namespace hearth::capture
