// Rules for steps over native frames, as plain data: made outside signals from .eh_frame (symbols/), read inside them.
// x86-64 only: DWARF registers 7 (rsp) and 6 (rbp), return address at CFA-8 (System V ABI AMD64, 3.7).
#pragma once

#include <cstdint>

namespace hearth::capture {

enum class CfaBase : uint32_t {
  kUnknown = 0,    // no rule, or one that has no form here: the walker tries the frame pointer
  kSp = 1,         // CFA = rsp + offset
  kFp = 2,         // CFA = rbp + offset
  kFpDeref = 3,    // CFA = *(rbp - offset), the caller's rbp is *rbp: functions that realign their stack (breg6, deref)
  kPlt = 4,        // CFA = rsp + 8, plus 8 when (pc & 15) >= 11: the expression every linker writes for .plt
  kSignal = 5,     // sigreturn trampoline: rsp points at a ucontext_t's frame
  kEndOfStack = 6  // return address is undefined: a thread's root (_start, clone)
};

// Valid from `start` (bytes from the module's load address) up to the next rule's start.
struct NativeRule {
  uint32_t start;
  uint32_t
      packed;  // base: 3 bits; CFA offset / 8: 15 bits; (CFA - slot of the caller's rbp) / 8: 14 bits, 0: rbp unchanged

  static constexpr uint32_t pack(CfaBase base, uint32_t cfa_offset, uint32_t fp_below_cfa) {
    return static_cast<uint32_t>(base) | (cfa_offset / 8) << 3 | (fp_below_cfa / 8) << 18;
  }
  constexpr CfaBase base() const { return static_cast<CfaBase>(packed & 7); }
  constexpr uint32_t cfa_offset() const { return (packed >> 3 & 0x7fff) * 8; }
  constexpr uint32_t fp_below_cfa() const { return (packed >> 18) * 8; }
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
