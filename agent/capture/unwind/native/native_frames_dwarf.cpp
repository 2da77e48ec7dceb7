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

// rt_sigreturn's frame. Only the pointer and the fields of the context that are read need to be there.
NativeStep step_signal_frame(Registers* registers) {
  auto* context = reinterpret_cast<const ucontext_t*>(registers->sp + kContextAboveSp);
  Registers interrupted{};
  auto read = [](void* from, void* to, void*) {
    *static_cast<Registers*>(to) = Registers::of(static_cast<ucontext_t*>(from));
  };
  if (!guarded(read, const_cast<ucontext_t*>(context), &interrupted, nullptr)) return NativeStep::kFailed;
  if (interrupted.pc == 0 || interrupted.sp == 0) return NativeStep::kFailed;
  *registers = interrupted;
  return NativeStep::kInterrupted;
}

bool follow_frame_pointer(const NativeCode& code, Registers* registers) {
  uintptr_t fp = registers->fp;
  if (fp < registers->sp || fp - registers->sp > kLargestFrame || fp % kWord != 0) return false;
  // A frame pointer beyond the last Java frame belongs to a frame further out; this one did not change it.
  bool skips_java = registers->sp < code.last_java_sp && fp + 2 * kWord > code.last_java_sp;
  uintptr_t pc = return_address(load(fp + kWord));
  if (skips_java || pc < 4096 || !behind_native_call(pc)) return false;
  *registers = {pc, fp + 2 * kWord, load(fp)};
  return true;
}

// Steps over a function before its frame is built, or after it is removed.
bool return_unframed(Registers* registers) {
  FrameState state = native_frame_state(*registers);
  if (state == FrameState::kBuilt) return false;
  uintptr_t slot = registers->sp + kWord;
  Registers caller = state == FrameState::kSaved ? Registers{return_address(load(slot)), slot + kWord, registers->fp}
                                                 : unsaved_caller(*registers, registers->sp + kCallBytes);
  if (!behind_native_call(caller.pc)) return false;
  *registers = caller;
  return true;
}

// A handler returns to these instructions of the kernel or of the C library, which have no rules in the vdso of aarch64
// and in musl.
bool returns_from_signal(uintptr_t pc) {
  return load(pc) == kSignalReturn[0] && (load(pc + kWord) & kSignalReturnMask) == kSignalReturn[1];
}

NativeStep step_without_rule(const NativeCode& code, Registers* registers, bool is_return_address) {
  bool trusted = code.frame_pointers != FramePointers::kGuess;
  bool is_last = is_return_address && registers->fp == 0 && code.last_java_sp == 0;
  if (is_last && (trusted || kFramePointersAreKept)) return NativeStep::kEndOfStack;
  if (returns_from_signal(registers->pc)) return step_signal_frame(registers);
  bool returned = !is_return_address && return_unframed(registers);
  if (!returned && !follow_frame_pointer(code, registers)) return NativeStep::kFailed;
  return trusted ? NativeStep::kStepped : NativeStep::kGuessed;
}

NativeStep step_by_cfa(Registers* registers, uintptr_t cfa, const SavedSlots& saved, uintptr_t caller_fp,
                       bool was_interrupted) {
  bool is_caller = is_further_out(cfa, registers->sp, was_interrupted) && cfa - registers->sp <= kLargestFrame;
  if (!is_caller || cfa % kWord != 0) return NativeStep::kFailed;
  bool is_saved = saved.return_below_cfa() != 0;
  // A function that called another one without saving where it returns to does not return: the outermost one.
  if (!is_saved && !was_interrupted) return caller_fp == 0 ? NativeStep::kEndOfStack : NativeStep::kFailed;
  uintptr_t pc =
      is_saved ? return_address(load(cfa - saved.return_below_cfa())) : unsaved_return_address(*registers, cfa);
  if (pc == 0) return NativeStep::kEndOfStack;
  if (pc < 4096) return NativeStep::kFailed;
  *registers = {pc, cfa, caller_fp};
  return NativeStep::kStepped;
}

NativeStep step_by_rule(const NativeRule& rule, Registers* registers, uintptr_t cfa, bool was_interrupted) {
  SavedSlots saved = rule.saved();
  uintptr_t fp = saved.fp_below_cfa() != 0 ? load(cfa - saved.fp_below_cfa()) : registers->fp;
  return step_by_cfa(registers, cfa, saved, fp, was_interrupted);
}

NativeStep step_by_known_rule(const NativeRule& rule, Registers* registers, bool was_interrupted) {
  switch (rule.base()) {
    case CfaBase::kSp:
      return step_by_rule(rule, registers, registers->sp + rule.cfa_offset(), was_interrupted);
    case CfaBase::kFp:
      return step_by_rule(rule, registers, registers->fp + rule.cfa_offset(), was_interrupted);
    case CfaBase::kFpDeref:
      return step_by_cfa(registers, load(registers->fp - rule.cfa_offset()), rule.saved(), load(registers->fp),
                         was_interrupted);
    case CfaBase::kPlt: {
      constexpr uintptr_t kPushed = 11;
      uintptr_t pushed = (registers->pc & 15) >= kPushed ? kWord : 0;
      return step_by_cfa(registers, registers->sp + kWord + pushed, rule.saved(), registers->fp, was_interrupted);
    }
    default:
      return NativeStep::kFailed;
  }
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

NativeStep step_native(const NativeCode& code, Registers* registers, bool is_return_address, uintptr_t* slot) {
  uintptr_t unused = 0;
  uintptr_t& read_at = slot != nullptr ? *slot : unused;
  read_at = registers->fp + kWord;
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
  if (rule.base() == CfaBase::kUnknown) return step_without_rule(code, registers, is_return_address);
  read_at = 0;
  if (rule.base() == CfaBase::kEndOfStack) return NativeStep::kEndOfStack;
  if (rule.base() == CfaBase::kSignal) return step_signal_frame(registers);
  NativeStep step = step_by_known_rule(rule, registers, !is_return_address);
  if (step == NativeStep::kStepped && rule.saved().return_below_cfa() != 0)
    read_at = registers->sp - rule.saved().return_below_cfa();
  return step;
}

}  // namespace hearth::capture
