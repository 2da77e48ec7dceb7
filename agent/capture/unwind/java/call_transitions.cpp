#include "capture/unwind/java/call_transitions.h"

#include <initializer_list>

#include "capture/arch/machine_code.h"
#include "capture/faults/safe_load.h"
#include "capture/unwind/java/code_frames.h"
#include "capture/unwind/native/native_frames.h"

namespace hearth::capture {
namespace {

constexpr uintptr_t kWord = sizeof(uintptr_t);
constexpr uintptr_t kLargestStubFrame = 64 * kWord;

}  // namespace

// Until an adapter sets the register it may still have the sp of a call further out, which compiled code has not
// changed. So a compiled caller whose frame is complete without arguments has none.
void skip_arguments(const VmLayout& vm, const ucontext_t* interrupted, Registers* caller) {
  auto sender_sp = sender_sp_register(interrupted, vm.sender_sp_register);
  if (sender_sp <= caller->sp || sender_sp - caller->sp > kMostArgumentBytes || sender_sp % kWord != 0) return;
  CodeBlob blob = find_blob(vm, caller->pc);
  bool is_complete = blob.kind == BlobKind::kCompiled && blob.frame_bytes > 0 &&
                     may_return_to(vm, return_address(load(caller->sp + blob.frame_bytes - kWord)));
  if (!is_complete) caller->sp = sender_sp;
}

bool step_out_of_frameless_entry(const VmLayout& vm, const ucontext_t* interrupted, Registers* registers) {
  Registers caller = *registers;
  skip_arguments(vm, interrupted, &caller);
  if (caller.sp == registers->sp) return false;
  // The call may have aligned the stack; the entry pops that word after it, so it may be counted already.
  for (uintptr_t slot : {registers->sp, registers->sp + kWord, registers->sp - kWord}) {
    caller.pc = return_address(load(slot));
    if (slot >= caller.sp || caller.pc == registers->pc || !may_return_to(vm, caller.pc)) continue;
    *registers = caller;
    return true;
  }
  return false;
}

bool step_to_native_caller(const NativeMap* natives, Registers* registers) {
  const Registers at = *registers;
  // Three cases: no frame yet, rbp just saved, the frame built. A word after a call of another native is stale.
  bool saved = load(at.sp) == at.fp;
  bool framed = at.fp > at.sp && at.fp - at.sp <= kLargestStubFrame && at.fp % kWord == 0;
  const Registers guesses[] = {unsaved_caller(at, at.sp + kCallBytes),
                               {return_address(load(at.sp + kWord)), at.sp + 2 * kWord, at.fp},
                               {return_address(load(at.fp + kWord)), at.fp + 2 * kWord, load(at.fp)}};
  // A register keeps the return address when the frame has it too.
  bool unsaved =
      !kReturnsByRegister || !((saved && guesses[1].pc == guesses[0].pc) || (framed && guesses[2].pc == guesses[0].pc));
  const bool holds[] = {unsaved, saved, framed};
  for (int i = 0; i < 3; i++) {
    if (!holds[i]) continue;
    uintptr_t pc = guesses[i].pc;
    if (find_module(natives, pc) == nullptr || !behind_native_call(pc)) continue;
    if (find_module(natives, called_before(pc)) != nullptr) continue;
    *registers = guesses[i];
    return true;
  }
  return false;
}

}  // namespace hearth::capture
