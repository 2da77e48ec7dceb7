#include <ucontext.h>

#include <cstddef>

#include "capture/safe_load.h"
#include "capture/unwind/native_frames.h"

namespace hearth::capture {
namespace {

constexpr uintptr_t kWord = sizeof(uintptr_t);
constexpr uintptr_t kLargestFrame = 1 << 20;

const NativeRule* find_rule(const NativeModule& module, uintptr_t pc) {
  uint32_t offset = static_cast<uint32_t>(pc - module.load_base);
  uint32_t low = 0;
  uint32_t high = module.rule_count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (module.rules[middle].start <= offset) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low == 0 ? nullptr : &module.rules[low - 1];
}

// rt_sigreturn's frame: rsp points at the ucontext_t (Linux, arch/x86/include/asm/sigframe.h).
NativeStep step_signal_frame(Registers* registers) {
  uintptr_t gregs = registers->sp + offsetof(ucontext_t, uc_mcontext) + offsetof(mcontext_t, gregs);
  Registers interrupted = {load(gregs + REG_RIP * kWord), load(gregs + REG_RSP * kWord), load(gregs + REG_RBP * kWord)};
  if (interrupted.pc == 0 || interrupted.sp == 0) return NativeStep::kFailed;
  *registers = interrupted;
  return NativeStep::kStepped;
}

NativeStep step_by_frame_pointer(Registers* registers) {
  uintptr_t fp = registers->fp;
  if (fp < registers->sp || fp - registers->sp > kLargestFrame || fp % kWord != 0) return NativeStep::kFailed;
  uintptr_t pc = load(fp + kWord);
  if (pc < 4096) return NativeStep::kFailed;
  *registers = {pc, fp + 2 * kWord, load(fp)};
  return NativeStep::kStepped;
}

NativeStep step_by_cfa(Registers* registers, uintptr_t cfa, uintptr_t caller_fp) {
  if (cfa <= registers->sp || cfa - registers->sp > kLargestFrame || cfa % kWord != 0) return NativeStep::kFailed;
  uintptr_t pc = load(cfa - kWord);
  if (pc == 0) return NativeStep::kEndOfStack;
  if (pc < 4096) return NativeStep::kFailed;
  *registers = {pc, cfa, caller_fp};
  return NativeStep::kStepped;
}

NativeStep step_by_rule(const NativeRule& rule, Registers* registers, uintptr_t cfa) {
  return step_by_cfa(registers, cfa, rule.fp_below_cfa() != 0 ? load(cfa - rule.fp_below_cfa()) : registers->fp);
}

}  // namespace

const NativeModule* find_module(const NativeMap* map, uintptr_t pc) {
  uint32_t low = 0;
  uint32_t high = map->module_count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (map->modules[middle].end <= pc) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < map->module_count && map->modules[low].start <= pc ? &map->modules[low] : nullptr;
}

NativeStep step_native(const NativeMap* map, RuleCache* cache, Registers* registers, bool is_return_address) {
  if (cache == nullptr) return step_by_frame_pointer(registers);
  uintptr_t pc = is_return_address ? registers->pc - 1 : registers->pc;
  NativeRule rule = {0, 0};
  if (!cache->find(pc, &rule)) {
    const NativeModule* module = find_module(map, pc);
    const NativeRule* found = module != nullptr ? find_rule(*module, pc) : nullptr;
    if (found == nullptr) return step_by_frame_pointer(registers);
    rule = *found;
    cache->put(pc, rule);
  }
  switch (rule.base()) {
    case CfaBase::kEndOfStack:
      return NativeStep::kEndOfStack;
    case CfaBase::kSignal:
      return step_signal_frame(registers);
    case CfaBase::kSp:
      return step_by_rule(rule, registers, registers->sp + rule.cfa_offset());
    case CfaBase::kFp:
      return step_by_rule(rule, registers, registers->fp + rule.cfa_offset());
    case CfaBase::kFpDeref:
      return step_by_cfa(registers, load(registers->fp - rule.cfa_offset()), load(registers->fp));
    case CfaBase::kPlt:
      return step_by_cfa(registers, registers->sp + kWord + ((registers->pc & 15) >= 11 ? kWord : 0), registers->fp);
    case CfaBase::kUnknown:
      break;
  }
  return step_by_frame_pointer(registers);
}

}  // namespace hearth::capture
