// Registers that identify a frame in a walk. In Java frames sp is the unextended one.
#pragma once

#include <ucontext.h>

#include <cstdint>

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

}  // namespace hearth::capture
