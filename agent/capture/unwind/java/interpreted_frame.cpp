#include "capture/unwind/java/interpreted_frame.h"

#include <initializer_list>

#include "capture/arch/machine_code.h"
#include "capture/faults/safe_load.h"
#include "capture/unwind/java/call_transitions.h"

namespace hearth::capture {
namespace {

constexpr uintptr_t kWord = sizeof(uintptr_t);
constexpr int kUnknownBci = -1;
constexpr int kNativeBci = -3;  // as in AsyncGetCallTrace

struct Bytecodes {
  uintptr_t begin;
  uintptr_t size;  // 0: the method is native
  bool hold(uintptr_t address) const { return address - begin < size; }
};

Bytecodes bytecodes_of(const VmLayout& vm, uintptr_t method) {
  uintptr_t begin = load(method + static_cast<uintptr_t>(vm.method_const)) + static_cast<uintptr_t>(vm.const_size);
  return {begin, load32(begin - static_cast<uintptr_t>(vm.const_size - vm.const_code_size)) & 0xffff};
}

// `bcp`: the most likely address of a bytecode.
int bci_of(const VmLayout& vm, uintptr_t method, uintptr_t bcp, uintptr_t other_bcp) {
  Bytecodes bytecodes = bytecodes_of(vm, method);
  if (bytecodes.size == 0) return kNativeBci;
  for (uintptr_t guess : {bcp, other_bcp}) {
    if (bytecodes.hold(guess)) return static_cast<int>(guess - bytecodes.begin);
  }
  return kUnknownBci;
}

}  // namespace

// While entering, a register has the caller's sp, above the arguments. On x86-64 it is otherwise the address of a
// bytecode, or in a native method's frame still that sp; a native method's frame calls no method. On aarch64 the
// registers keep their values when the frame is built; then the frame has the same.
bool is_entering(const VmLayout& vm, const Registers& at, const ucontext_t* interrupted) {
  uintptr_t sender_sp = sender_sp_register(interrupted, vm.sender_sp_register);
  if (kReturnsByRegister) {
    uintptr_t caller = unsaved_return_address(at, at.sp);
    bool is_entry = at.pc - vm.entries_begin < vm.entries_end - vm.entries_begin;
    bool called_inside = in_interpreter(vm, caller) && behind_call(caller);
    if (!is_entry || called_inside || !may_return_to(vm, caller)) return false;
    return return_address(load(at.fp + kWord)) != caller || load(at.fp - kWord) != sender_sp;
  }
  if (sender_sp <= at.sp || sender_sp - at.sp > kMostArgumentBytes + kWord) return false;
  uintptr_t method = load(at.fp + kMethodWord * kWord);
  return method_id(vm, method) == 0 || bytecodes_of(vm, method).size > 0;
}

InterpretedFrame read_interpreted_frame(const VmLayout& vm, const Registers& at, FramePlace place,
                                        const ucontext_t* interrupted) {
  bool is_top = place == FramePlace::kInterrupted;
  // Between the call and the frame the return address is where the call left it, and a register has the method.
  if (is_top && may_return_to(vm, unsaved_return_address(at, at.sp + kCallBytes)) && is_entering(vm, at, interrupted)) {
    auto called = method_register(interrupted);
    uint64_t id = method_id(vm, called);
    if (id != 0) return {id, 0};
  }
  uintptr_t method = load(at.fp + kMethodWord * kWord);
  uint64_t id = method_id(vm, method);
  if (id == 0) return {};
  uintptr_t saved = load(at.fp + static_cast<uintptr_t>(vm.bcp_word) * kWord);
  auto current = bytecode_register(interrupted);
  return {id, bci_of(vm, method, is_top ? current : saved, saved)};
}

}  // namespace hearth::capture
