#include <ucontext.h>

#include <cstddef>

#include "capture/arch/machine_code.h"
#include "capture/faults/safe_load.h"
#include "capture/unwind/native/native_frames.h"

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

// Steps over rt_sigreturn's frame: rsp points at the ucontext_t (Linux, arch/x86/include/asm/sigframe.h).
NativeStep step_signal_frame(Registers* registers) {
  uintptr_t gregs = registers->sp + offsetof(ucontext_t, uc_mcontext) + offsetof(mcontext_t, gregs);
  Registers interrupted = {load(gregs + REG_RIP * kWord), load(gregs + REG_RSP * kWord), load(gregs + REG_RBP * kWord)};
  if (interrupted.pc == 0 || interrupted.sp == 0) return NativeStep::kFailed;
  *registers = interrupted;
  return NativeStep::kStepped;
}

bool follow_frame_pointer(const NativeCode& code, Registers* registers) {
  uintptr_t fp = registers->fp;
  if (fp < registers->sp || fp - registers->sp > kLargestFrame || fp % kWord != 0) return false;
  // A frame pointer beyond the last Java frame belongs to a frame further out; this one did not change it.
  bool skips_java = registers->sp < code.last_java_sp && fp + 2 * kWord > code.last_java_sp;
  uintptr_t pc = load(fp + kWord);
  if (skips_java || pc < 4096 || !behind_native_call(pc)) return false;
  *registers = {pc, fp + 2 * kWord, load(fp)};
  return true;
}

// Steps over a function before its frame is built, or after it is removed.
bool return_unframed(Registers* registers) {
  FrameState state = native_frame_state(*registers);
  if (state == FrameState::kBuilt) return false;
  uintptr_t slot = registers->sp + (state == FrameState::kSaved ? kWord : 0);
  uintptr_t pc = load(slot);
  if (!behind_native_call(pc)) return false;
  *registers = {pc, slot + kWord, registers->fp};
  return true;
}

NativeStep step_without_rule(const NativeCode& code, Registers* registers, bool is_return_address) {
  bool trusted = code.frame_pointers != FramePointers::kGuess;
  // fp 0 marks the outermost frame (System V ABI AMD64, 3.4.1).
  if (trusted && is_return_address && registers->fp == 0 && code.last_java_sp == 0) return NativeStep::kEndOfStack;
  bool returned = !is_return_address && return_unframed(registers);
  if (!returned && !follow_frame_pointer(code, registers)) return NativeStep::kFailed;
  return trusted ? NativeStep::kStepped : NativeStep::kGuessed;
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

NativeStep step_native(const NativeCode& code, Registers* registers, bool is_return_address) {
  bool by_fp = is_return_address && code.frame_pointers == FramePointers::kFirst;
  if (by_fp && follow_frame_pointer(code, registers)) return NativeStep::kStepped;
  uintptr_t pc = is_return_address ? registers->pc - 1 : registers->pc;
  NativeRule rule = {0, 0};
  if (!code.rules->find(pc, &rule)) {
    const NativeModule* module = find_module(code.map, pc);
    const NativeRule* found = module != nullptr ? find_rule(*module, pc) : nullptr;
    if (found == nullptr) return step_without_rule(code, registers, is_return_address);
    rule = *found;
    code.rules->put(pc, rule);
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
  return step_without_rule(code, registers, is_return_address);
}

}  // namespace hearth::capture
