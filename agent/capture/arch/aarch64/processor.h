// aarch64: Procedure Call Standard for the Arm 64-bit Architecture, and HotSpot's use of its registers (cpu/aarch64).
#pragma once

#include <elf.h>
#include <ucontext.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace hearth::capture {

// Removes the signature of a return address (ROP protection): xpaclri, which does nothing where there are none.
inline uintptr_t return_address(uintptr_t word) {
  register uintptr_t lr asm("x30") = word;
  asm("hint #7" : "+r"(lr));
  return lr;
}

struct Registers {
  uintptr_t pc;
  uintptr_t sp;
  uintptr_t fp;
  uintptr_t lr = 0;  // of the interrupted frame; 0: a caller's, which has saved it. put_into() leaves it out

  static constexpr int kFp = 29, kLr = 30;

  static Registers of(const ucontext_t* context) {
    const mcontext_t& regs = context->uc_mcontext;
    return {regs.pc, regs.sp, regs.regs[kFp], return_address(regs.regs[kLr])};
  }
  // Returns those of the function that this is inlined into.
  __attribute__((always_inline)) static inline Registers here() {
    Registers registers;
    asm volatile(
        "adr %0, .\n\t"
        "mov %1, sp\n\t"
        "mov %2, x29\n\t"
        "mov %3, x30"
        : "=&r"(registers.pc), "=&r"(registers.sp), "=&r"(registers.fp), "=&r"(registers.lr));
    registers.lr = return_address(registers.lr);
    return registers;
  }
  void put_into(ucontext_t* context) const {
    mcontext_t& regs = context->uc_mcontext;
    regs.pc = pc;
    regs.sp = sp;
    regs.regs[kFp] = fp;
  }
};

// A call leaves its return address in lr.
constexpr bool kReturnsByRegister = true;
constexpr uintptr_t kCallBytes = 0;

// Of a frame that has saved nothing yet, or has nothing saved any more. 0 for a caller's frame.
inline uintptr_t unsaved_return_address(const Registers& at, uintptr_t) {
  return at.lr;
}

inline uintptr_t interrupted_pc(const ucontext_t* context) {
  return context->uc_mcontext.pc;
}

// HotSpot's registers.
inline uintptr_t method_register(const ucontext_t* context) {
  return context->uc_mcontext.regs[12];
}
inline uintptr_t bytecode_register(const ucontext_t* context) {
  return context->uc_mcontext.regs[22];
}
inline uintptr_t sender_sp_register(const ucontext_t* context, int number) {
  return context->uc_mcontext.regs[number];
}
inline uintptr_t receiver_register(const ucontext_t* context) {
  return context->uc_mcontext.regs[1];
}

// Interpreter frames (cpu/aarch64/frame_aarch64.hpp): words from fp.
struct InterpreterWords {
  int bcp;
  int locals;
  int sender_sp_register;
};
constexpr InterpreterWords interpreter_words(int jdk) {
  if (jdk < 9) return {-7, -6, 13};
  if (jdk < 20) return {-9, -8, 13};  // JDK 9 added the mirror, and a word that keeps sp aligned
  return {-9, -8, 19};                // JDK 20 has the extended sp in that word
}

// Word of the call stub's frame that has the call wrapper, from fp (cpu/aarch64/frame_aarch64.hpp); the JVM's tables do
// not have it.
constexpr int kCallWrapperWord = -8;

// Arguments of C functions: 0 to 3.
inline uintptr_t argument_register(const ucontext_t* context, int index) {
  return context->uc_mcontext.regs[index];
}

// System calls: svc #0. The number stays in x8, the result replaces the first argument.
constexpr uint32_t kSyscallInstruction = 0xd4000001;
constexpr uint32_t kSyscallInstructionMask = 0xffffffff;
constexpr uint32_t kSyscallInstructionSize = 4;
constexpr bool kSyscallNumberStays = true;
inline int64_t syscall_result(const ucontext_t* context) {
  return static_cast<int64_t>(context->uc_mcontext.regs[0]);
}
inline int64_t syscall_number(const ucontext_t* context) {
  return static_cast<int64_t>(context->uc_mcontext.regs[8]);
}

// brk #0, and how far behind its address the thread stops.
using BreakpointCode = uint32_t;
constexpr BreakpointCode kBreakpoint = 0xd4200000;
constexpr uintptr_t kBreakpointAdvance = 0;

// fp 0 ends the chain of frame records, which all code leaves alone (AAPCS64, 6.4.6: The Frame Pointer).
constexpr bool kFramePointersAreKept = true;

// mov x8, #139 (rt_sigreturn); svc #0.
constexpr uintptr_t kSignalReturn[] = {0xd4000001d2801168, 0};
constexpr uintptr_t kSignalReturnMask = 0;

// rt_sigreturn's frame: a siginfo_t, then the ucontext_t (Linux, arch/arm64/kernel/signal.c).
constexpr uintptr_t kContextAboveSp = 128;

// ELF and DWARF (DWARF for the Arm 64-bit Architecture).
constexpr uint16_t kElfMachine = EM_AARCH64;
constexpr uint64_t kDwarfFp = 29;
constexpr uint64_t kDwarfSp = 31;
constexpr uint64_t kDwarfReturnAddress = 30;
constexpr uint64_t kJumpSlotRelocation = R_AARCH64_JUMP_SLOT;
constexpr uint64_t kGlobalDataRelocation = R_AARCH64_GLOB_DAT;
constexpr uint64_t kAbsoluteRelocation = R_AARCH64_ABS64;
constexpr uint64_t kResolverRelocation = R_AARCH64_IRELATIVE;

// Entries of a procedure linkage table: adrp x16; ldr x17,[x16,#d]; add x16,x16,#d; br x17. Behind the table's first
// entry, and behind a bti each, they begin at any instruction.
struct LinkageEntries {
  static constexpr size_t kSize = 16;
  static constexpr size_t stride(uint64_t) { return 4; }
  static constexpr size_t size(uint64_t) { return kSize; }
  // Address of the slot that the entry at `address` jumps through; 0: it is none.
  static uint64_t slot(std::string_view code, uint64_t address) {
    uint32_t page = 0;
    uint32_t load = 0;
    std::memcpy(&page, code.data(), sizeof page);
    std::memcpy(&load, code.data() + sizeof page, sizeof load);
    if ((page & 0x9f00001f) != 0x90000010 || (load & 0xffc003ff) != 0xf9400211) return 0;
    auto pages = static_cast<int32_t>((page >> 5 & 0x7ffff) << 2 | (page >> 29 & 3)) << 11 >> 11;
    return (address & ~uint64_t{4095}) + static_cast<uint64_t>(int64_t{pages} * 4096) + (load >> 10 & 0xfff) * 8;
  }
};

// Where a native frame saved its caller's registers, in the 14 bits of NativeRule: the slot of lr below the CFA / 8, 0:
// lr is unchanged; and one bit, that fp is in the word below that slot. Functions save the two as a pair.
struct SavedSlots {
  uint32_t bits = 0;

  static constexpr int64_t kNotSaved = 0;
  // False: the bits cannot express it. `fp`, `return_address`: bytes below the CFA.
  static constexpr bool can_hold(int64_t fp, int64_t return_address) {
    bool in_range = return_address >= 0 && return_address <= int64_t{0x1fff} * 8 && return_address % 8 == 0;
    return in_range && (fp == 0 || (return_address > 0 && fp == return_address + 8));
  }
  static constexpr SavedSlots of(int64_t fp, int64_t return_address) {
    return {static_cast<uint32_t>(return_address / 8) << 1 | (fp != 0 ? 1U : 0U)};
  }
  constexpr uint32_t fp_below_cfa() const { return (bits & 1) != 0 ? return_below_cfa() + 8 : 0; }
  constexpr uint32_t return_below_cfa() const { return (bits >> 1) * 8; }
};

}  // namespace hearth::capture
