// Rules for steps over native frames, as plain data: made outside signals from .eh_frame (symbols/), read inside them.
#pragma once

#include <cstdint>

#include "capture/arch/processor.h"

namespace hearth::capture {

enum class CfaBase : uint32_t {
  kUnknown = 0,  // no rule, or one that has no form here: the walker tries the frame pointer
  kSp = 1,       // CFA = sp + offset
  kFp = 2,       // CFA = fp + offset
  kFpDeref =
      3,  // CFA = *(fp - offset), the caller's fp is *fp: functions of x86-64 that realign their stack (breg6, deref)
  kPlt = 4,        // x86-64: CFA = rsp + 8, plus 8 when (pc & 15) >= 11: the expression every linker writes for .plt
  kSignal = 5,     // sigreturn trampoline: sp points at a ucontext_t's frame
  kEndOfStack = 6  // return address is undefined: a thread's root (_start, clone)
};

// Valid from `start` (bytes from the module's load address) up to the next rule's start.
struct NativeRule {
  uint32_t start;
  uint32_t packed;  // base: 3 bits; CFA offset / 8: 15 bits; SavedSlots: 14 bits

  static constexpr uint32_t pack(CfaBase base, uint32_t cfa_offset, SavedSlots saved = {}) {
    return static_cast<uint32_t>(base) | (cfa_offset / 8) << 3 | saved.bits << 18;
  }
  constexpr CfaBase base() const { return static_cast<CfaBase>(packed & 7); }
  constexpr uint32_t cfa_offset() const { return (packed >> 3 & 0x7fff) * 8; }
  constexpr SavedSlots saved() const { return {packed >> 18}; }
  constexpr uint32_t fp_below_cfa() const { return saved().fp_below_cfa(); }
};
static_assert(sizeof(NativeRule) == 8);

// One loaded object's code.
struct NativeModule {
  uintptr_t start;  // of its first executable byte
  uintptr_t end;
  uintptr_t load_base;      // origin of NativeRule::start
  const NativeRule* rules;  // sorted by start
  uint32_t rule_count;
};

// All modules, sorted by start, without overlaps. Immutable once published.
struct NativeMap {
  const NativeModule* modules;
  uint32_t module_count;
};

}  // namespace hearth::capture
