// x86-64: System V ABI AMD64, and HotSpot's use of its registers (cpu/x86).
#pragma once

#include <elf.h>
#include <ucontext.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "capture/faults/safe_load.h"

namespace hearth::capture {

struct Registers {
  uintptr_t pc;
  uintptr_t sp;
  uintptr_t fp;

  static Registers of(const ucontext_t* context) {
    const greg_t* regs = context->uc_mcontext.gregs;
    return {static_cast<uintptr_t>(regs[REG_RIP]), static_cast<uintptr_t>(regs[REG_RSP]),
            static_cast<uintptr_t>(regs[REG_RBP])};
  }
  // Returns those of the function that this is inlined into.
  __attribute__((always_inline)) static inline Registers here() {
    Registers registers;
    asm volatile(
        "leaq 0(%%rip), %0\n\t"
        "movq %%rsp, %1\n\t"
        "movq %%rbp, %2"
        : "=&r"(registers.pc), "=&r"(registers.sp), "=&r"(registers.fp));
    return registers;
  }
  void put_into(ucontext_t* context) const {
    greg_t* regs = context->uc_mcontext.gregs;
    regs[REG_RIP] = static_cast<greg_t>(pc);
    regs[REG_RSP] = static_cast<greg_t>(sp);
    regs[REG_RBP] = static_cast<greg_t>(fp);
  }
};

// A call pushes its return address.
constexpr bool kReturnsByRegister = false;
constexpr uintptr_t kCallBytes = 8;

inline uintptr_t return_address(uintptr_t word) {
  return word;
}

// Of a frame that has saved nothing yet, or has nothing saved any more. Needs a FaultHandler.
inline uintptr_t unsaved_return_address(const Registers&, uintptr_t caller_sp) {
  return load(caller_sp - kCallBytes);
}

inline uintptr_t interrupted_pc(const ucontext_t* context) {
  return static_cast<uintptr_t>(context->uc_mcontext.gregs[REG_RIP]);
}

// HotSpot's registers. The interpreter keeps the address of its bytecode and a call's sender sp in one.
inline uintptr_t method_register(const ucontext_t* context) {
  return static_cast<uintptr_t>(context->uc_mcontext.gregs[REG_RBX]);
}
inline uintptr_t bytecode_register(const ucontext_t* context) {
  return static_cast<uintptr_t>(context->uc_mcontext.gregs[REG_R13]);
}
inline uintptr_t sender_sp_register(const ucontext_t* context, int) {
  return static_cast<uintptr_t>(context->uc_mcontext.gregs[REG_R13]);
}
inline uintptr_t receiver_register(const ucontext_t* context) {
  return static_cast<uintptr_t>(context->uc_mcontext.gregs[REG_RSI]);
}

// Interpreter frames (cpu/x86/frame_x86.hpp): words from fp.
struct InterpreterWords {
  int bcp;
  int locals;
  int sender_sp_register;
};
constexpr InterpreterWords interpreter_words(int jdk) {
  return jdk < 9 ? InterpreterWords{-7, -6, 13} : InterpreterWords{-8, -7, 13};  // JDK 9 added the mirror
}

// Word of the call stub's frame that has the call wrapper, from fp; 0: each JVM's tables have it.
constexpr int kCallWrapperWord = 0;

// Arguments of C functions: 0 to 3.
inline uintptr_t argument_register(const ucontext_t* context, int index) {
  constexpr int kRegisters[] = {REG_RDI, REG_RSI, REG_RDX, REG_RCX};
  return static_cast<uintptr_t>(context->uc_mcontext.gregs[kRegisters[index]]);
}

// System calls.
constexpr uint32_t kSyscallInstruction = 0x050f;
constexpr uint32_t kSyscallInstructionMask = 0xffff;
constexpr uint32_t kSyscallInstructionSize = 2;
constexpr bool kSyscallNumberStays = false;  // the result replaces the number
inline int64_t syscall_result(const ucontext_t* context) {
  return context->uc_mcontext.gregs[REG_RAX];
}
inline int64_t syscall_number(const ucontext_t* context) {
  return context->uc_mcontext.gregs[REG_RAX];
}

// int3, and how far behind its address the thread stops.
using BreakpointCode = uint8_t;
constexpr BreakpointCode kBreakpoint = 0xcc;
constexpr uintptr_t kBreakpointAdvance = 1;

// fp 0 marks the outermost frame (System V ABI AMD64, 3.4.1) where code has frame pointers; other code may have any
// value there.
constexpr bool kFramePointersAreKept = false;

// mov rax, 15 (rt_sigreturn); syscall.
constexpr uintptr_t kSignalReturn[] = {0x0f0000000fc0c748, 0x05};
constexpr uintptr_t kSignalReturnMask = 0xff;

// rt_sigreturn's frame: sp points at the ucontext_t (Linux, arch/x86/include/asm/sigframe.h).
constexpr uintptr_t kContextAboveSp = 0;

// ELF and DWARF (figure 3.36 of the ABI).
constexpr uint16_t kElfMachine = EM_X86_64;
constexpr uint64_t kDwarfFp = 6;
constexpr uint64_t kDwarfSp = 7;
constexpr uint64_t kDwarfReturnAddress = 16;
constexpr uint64_t kJumpSlotRelocation = R_X86_64_JUMP_SLOT;
constexpr uint64_t kGlobalDataRelocation = R_X86_64_GLOB_DAT;
constexpr uint64_t kAbsoluteRelocation = R_X86_64_64;
constexpr uint64_t kResolverRelocation = R_X86_64_IRELATIVE;

// Entries of a procedure linkage table: ff 25 disp32, possibly after an endbr64 or a bnd. `entry_size`: of its section.
struct LinkageEntries {
  static constexpr size_t stride(uint64_t entry_size) { return entry_size == 8 ? 8 : 16; }
  static constexpr size_t size(uint64_t entry_size) { return stride(entry_size); }
  // Address of the slot that the entry at `address` jumps through; 0: it is none.
  static uint64_t slot(std::string_view code, uint64_t address) {
    constexpr size_t kJumpSize = 6;
    size_t jump = code.find("\xff\x25");
    if (jump == std::string_view::npos || jump + kJumpSize > code.size()) return 0;
    int32_t displacement = 0;
    std::memcpy(&displacement, code.data() + jump + 2, sizeof displacement);
    return address + jump + kJumpSize + static_cast<uint64_t>(int64_t{displacement});
  }
};

// Where a native frame saved its caller's registers, in the 14 bits of NativeRule: the slot of fp below the CFA / 8, 0:
// fp is unchanged. The return address is at CFA - 8.
struct SavedSlots {
  uint32_t bits = 0;

  static constexpr int64_t kNotSaved = 0;
  // False: the bits cannot express it. `fp`, `return_address`: bytes below the CFA.
  static constexpr bool can_hold(int64_t fp, int64_t return_address) {
    return return_address == 8 && fp >= 0 && fp <= int64_t{0x3fff} * 8 && fp % 8 == 0;
  }
  static constexpr SavedSlots of(int64_t fp, int64_t) { return {static_cast<uint32_t>(fp / 8)}; }
  constexpr uint32_t fp_below_cfa() const { return bits * 8; }
  constexpr uint32_t return_below_cfa() const { return 8; }
};

}  // namespace hearth::capture
