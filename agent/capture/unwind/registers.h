// What one step of a walk needs to know of a frame. In Java frames sp is the unextended one.
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
  void put_into(ucontext_t* context) const {
    greg_t* regs = context->uc_mcontext.gregs;
    regs[REG_RIP] = static_cast<greg_t>(pc);
    regs[REG_RSP] = static_cast<greg_t>(sp);
    regs[REG_RBP] = static_cast<greg_t>(fp);
  }
};

}  // namespace hearth::capture
