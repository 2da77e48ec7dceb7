#include "capture/unwind/java/code_frames.h"

#include "capture/arch/machine_code.h"
#include "capture/faults/safe_load.h"
#include "capture/unwind/java/compiled_scopes.h"

namespace hearth::capture {
namespace {

constexpr uintptr_t kWord = sizeof(uintptr_t);
constexpr uintptr_t kLargestFrame = 1 << 20;
// Words above sp to search for a stub's return address: the AVX-512 stub of AES/GCM keeps 200 words and aligns them.
constexpr int kScannedWords = 320;

// Steps to the caller with the return address at `slot`, if it is one.
bool return_through(const VmLayout& vm, uintptr_t slot, uintptr_t caller_fp, Registers* registers) {
  uintptr_t pc = return_address(load(slot));
  if (!may_return_to(vm, pc)) return false;
  *registers = {pc, slot + kWord, caller_fp};
  return true;
}

// The same for a return address that the frame has not saved: its caller's sp is `caller_sp`.
bool return_unsaved(const VmLayout& vm, uintptr_t caller_sp, Registers* registers) {
  Registers caller = unsaved_caller(*registers, caller_sp);
  if (!may_return_to(vm, caller.pc)) return false;
  *registers = caller;
  return true;
}

// For a frame that is not built: the return address is on top, possibly below the saved rbp.
bool return_unbuilt(const VmLayout& vm, Registers* registers) {
  return return_unsaved(vm, registers->sp + kCallBytes, registers) ||
         return_through(vm, registers->sp + kWord, load(registers->sp), registers);
}

bool return_by_size(const VmLayout& vm, const CodeBlob& blob, uintptr_t pushed, Registers* registers) {
  uintptr_t sender_sp = registers->sp + pushed + blob.frame_bytes;
  return return_through(vm, sender_sp - kWord, load(sender_sp - 2 * kWord), registers);
}

// True if fp may be the pointer of the current frame.
bool frame_is_near(const Registers& registers, uintptr_t bytes) {
  return registers.fp >= registers.sp && registers.fp - registers.sp < bytes && registers.fp % kWord == 0;
}

// True if the caller that returns to `pc` called a stub of this code that begins at `stub_pc` or before.
bool called_stub(const CodeBlob& blob, uintptr_t pc, uintptr_t stub_pc) {
  uintptr_t called = called_before(pc);
  return called >= blob.code_begin && called <= stub_pc;
}

// True if a compiled `caller` has a caller itself, one frame size further up.
bool goes_on(const VmLayout& vm, const Registers& caller) {
  CodeBlob blob = find_blob(vm, caller.pc);
  if (blob.kind != BlobKind::kCompiled && blob.kind != BlobKind::kNative) return true;
  uintptr_t sender_sp = caller.sp + popped_at(caller.pc) * kWord + blob.frame_bytes;
  return may_return_to(vm, return_address(load(sender_sp - kWord)));
}

bool return_from_stub(const VmLayout& vm, uintptr_t slot, uintptr_t caller_fp, Registers* registers) {
  return return_through(vm, slot, caller_fp, registers) && goes_on(vm, *registers);
}

// Finds the nearest word from `slot` upwards that follows a call to this code, else the nearest possible return
// address: stubs leave return addresses of earlier calls in their frames. More reliable than a nearer word is the one
// right above the word that fp points to, of a frame that the stub built itself (push rbp; mov rbp,rsp). One word above
// sp it follows an rbp that was just saved.
bool return_by_scan(const VmLayout& vm, const CodeBlob& blob, uintptr_t slot, Registers* registers) {
  const Registers from = *registers;
  if (frame_is_near(from, kScannedWords * kWord) && called_stub(blob, return_address(load(from.fp + kWord)), from.pc) &&
      return_from_stub(vm, from.fp + kWord, load(from.fp), registers))
    return true;
  *registers = from;
  bool found = false;
  for (int i = 0; i < kScannedWords; i++, slot += kWord) {
    Registers caller = from;
    uintptr_t fp = from.fp;
    if (slot == fp + kWord || slot == fp + 2 * kWord) fp = load(fp);
    if (slot == from.sp + kWord) fp = load(from.sp);
    if (!return_from_stub(vm, slot, fp, &caller)) continue;
    bool is_sure = blob.passes_on || called_stub(blob, caller.pc, from.pc);
    if (is_sure || !found) *registers = caller;
    found = true;
    if (is_sure) break;
  }
  return found;
}

// Steps out of an adapter that calls the JVM to patch its caller's call. It saves all registers below an aligned stack
// pointer: r13 is the location of the return address, rax the address itself (cpu/x86/sharedRuntime_x86_64.cpp,
// patch_callers_callsite; pusha stores r15 lowest, r13 two words above it, rbp ten, rax fifteen).
bool return_from_adapter(const VmLayout& vm, Registers* registers) {
  if (kReturnsByRegister) return false;         // there it makes a frame with an fp
  constexpr uintptr_t kMostState = 512;         // words: AVX-512's registers take 336
  constexpr uintptr_t kMostAbove = 24 * kWord;  // from r13's slot: the other registers, flags, alignment
  for (uintptr_t slot = registers->sp; slot < registers->sp + kMostState * kWord; slot += kWord) {
    uintptr_t sender_sp = load(slot);
    if (sender_sp <= slot || sender_sp - slot > kMostAbove || sender_sp % kWord != 0) continue;
    uintptr_t pc = load(sender_sp);
    if (pc == load(slot + 13 * kWord) && return_through(vm, sender_sp, load(slot + 8 * kWord), registers)) return true;
  }
  return false;
}

// Steps by the state of the frame that the code shows, where its size alone is not enough.
bool return_by_code(const VmLayout& vm, const CodeBlob& blob, Registers* registers) {
  uintptr_t sp = registers->sp;
  switch (frame_state(blob, registers->pc)) {
    case FrameState::kNone:
      return return_unsaved(vm, sp + kCallBytes, registers);
    case FrameState::kSaved:
      return return_through(vm, sp + kWord, load(sp), registers);
    case FrameState::kReserved:
      return return_unsaved(vm, sp + blob.frame_bytes, registers);
    case FrameState::kUnknown:
      return return_unbuilt(vm, registers);
    case FrameState::kBuilt:
      break;
  }
  return false;
}

bool step_top_compiled(const VmLayout& vm, const CodeBlob& blob, Registers* registers) {
  if (return_by_code(vm, blob, registers)) return true;
  if (return_by_size(vm, blob, pushed_words(vm, blob, *registers) * kWord, registers) || return_unbuilt(vm, registers))
    return true;
  // Inlined string searches keep about a dozen words below the frame, and more for alignment.
  constexpr uintptr_t kMostKept = 32;
  for (uintptr_t words = 1; words <= kMostKept; words++) {
    if (return_by_size(vm, blob, words * kWord, registers)) return true;
  }
  return false;
}

bool step_caller_by_size(const CodeBlob& blob, Registers* registers) {
  if (blob.frame_bytes == 0) return false;
  uintptr_t sender_sp = registers->sp + blob.frame_bytes;
  uintptr_t pc = return_address(load(sender_sp - kWord));
  if (pc < 4096) return false;
  *registers = {pc, sender_sp, load(sender_sp - 2 * kWord)};
  return true;
}

// sp of an interpreter frame's caller. On aarch64 an interpreted caller's own may be further in than the frame that it
// called: such a frame is found by its fp alone.
uintptr_t sender_sp_of(const VmLayout& vm, uintptr_t fp, uintptr_t caller_pc) {
  uintptr_t kept = load(fp - kWord);
  if (!kReturnsByRegister) return kept;
  uintptr_t behind_frame = fp + 2 * kWord;
  return in_interpreter(vm, caller_pc) || kept < behind_frame ? behind_frame : kept;
}

// Interpreter frame: fp[1] return address, fp[0] caller's fp, fp[-1] sender sp, fp[-3] Method* (frame_x86.hpp,
// frame_aarch64.hpp).
bool step_interpreted(const VmLayout& vm, const CodeBlob& blob, Registers* registers, FramePlace place) {
  // At the entry only the return address is known, and fp is the caller's.
  if (place == FramePlace::kInterrupted && return_unsaved(vm, registers->sp + kCallBytes, registers)) return true;
  uintptr_t fp = registers->fp;
  bool fp_near = fp >= registers->sp && fp - registers->sp < kLargestFrame && fp % kWord == 0;
  uintptr_t pc = fp_near ? return_address(load(fp + kWord)) : 0;
  uintptr_t sender_sp = fp_near ? sender_sp_of(vm, fp, pc) : 0;
  bool built = sender_sp > fp && sender_sp - fp < kLargestFrame && may_return_to(vm, pc);
  if (built) {
    *registers = {pc, sender_sp, load(fp)};
    return true;
  }
  return place == FramePlace::kInterrupted && return_by_scan(vm, blob, registers->sp, registers);
}

enum class Trust { kCallOfThisCode, kAnyCall };

// Steps out of an interrupted stub by the return address that is in a register still, unless the stub's frame has it
// too: then fp and sp are that frame's.
bool return_by_register(const VmLayout& vm, const CodeBlob& blob, Trust trust, Registers* registers) {
  if (!kReturnsByRegister) return false;
  const Registers from = *registers;
  uintptr_t pc = unsaved_return_address(from, from.sp);
  bool is_sure = trust == Trust::kAnyCall || blob.passes_on || called_stub(blob, pc, from.pc);
  if (!is_sure || !may_return_to(vm, pc)) return false;
  bool framed = frame_is_near(from, kScannedWords * kWord) && return_address(load(from.fp + kWord)) == pc;
  if (framed && !blob.passes_on) return return_through(vm, from.fp + kWord, load(from.fp), registers);
  bool saved = load(from.sp) == from.fp && return_address(load(from.sp + kWord)) == pc;
  if (saved) return return_through(vm, from.sp + kWord, load(from.sp), registers);
  uintptr_t pushed = called_stub(blob, pc, from.pc) ? pushed_without_frame(called_before(pc), from.pc) : 0;
  return return_unsaved(vm, from.sp + pushed * kWord, registers);
}

bool step_stub(const VmLayout& vm, const CodeBlob& blob, Registers* registers, FramePlace place) {
  const Registers from = *registers;
  bool calls = place == FramePlace::kCaller;
  bool stepped = !calls && return_by_register(vm, blob, Trust::kCallOfThisCode, registers);
  if (!stepped && blob.frame_bytes > 0) {
    // The deoptimization blob aligns its stack before a call; its rbp still points at the frame.
    stepped = (calls && frame_is_near(from, blob.frame_bytes) &&
               return_through(vm, from.fp + kWord, load(from.fp), registers)) ||
              return_by_size(vm, blob, 0, registers);
    // C2's stubs on aarch64 leave two words below their frame for a call: where it returns to, for the anchor.
    if (!stepped && kReturnsByRegister && calls) stepped = return_by_size(vm, blob, 2 * kWord, registers);
  }
  if (!stepped && calls && blob.passes_on) stepped = return_from_adapter(vm, registers);
  if (!stepped && !calls) stepped = return_by_register(vm, blob, Trust::kAnyCall, registers);
  if (!stepped) {
    // In a call the stub's own frame, if it has one, is built, and saved registers are below it.
    bool framed = calls && frame_is_near(from, kScannedWords * kWord);
    stepped = return_by_scan(vm, blob, framed ? from.fp + kWord : from.sp, registers);
  }
  if (stepped) registers->sp += popped_at(registers->pc) * kWord;
  return stepped;
}

}  // namespace

bool may_return_to(const VmLayout& vm, uintptr_t pc) {
  if (pc == vm.call_stub_return || (pc == vm.continuations.return_barrier && pc != 0)) return true;
  CodeBlob blob = find_blob(vm, pc);
  switch (blob.kind) {
    case BlobKind::kInterpreter:
      return true;  // return entries are reached by jumps, no call precedes them
    case BlobKind::kCompiled:
      // The deoptimization handler makes itself the caller of the blob that it jumps to.
      if (vm.scopes && is_deoptimized(vm, blob, pc)) return true;
      [[fallthrough]];
    case BlobKind::kNative:
    case BlobKind::kFramed:
      return pc > blob.code_begin && pc < blob.code_end && behind_call(pc);
    case BlobKind::kUnframed:
    case BlobKind::kNone:
      return false;
  }
  return false;
}

uintptr_t pushed_words(const VmLayout& vm, const CodeBlob& blob, const Registers& registers) {
  constexpr uintptr_t kMost = 2;
  for (uintptr_t words = 0; words <= kMost; words++) {
    Registers caller = registers;
    if (return_by_size(vm, blob, words * kWord, &caller)) return words;
  }
  return 0;
}

CodeStep step_code(const VmLayout& vm, const CodeBlob& blob, Registers* registers, FramePlace place) {
  uintptr_t sp_before = registers->sp;
  bool stepped = false;
  switch (blob.kind) {
    case BlobKind::kNone:
      return CodeStep::kFailed;
    case BlobKind::kCompiled:
    case BlobKind::kNative:
      stepped = place == FramePlace::kInterrupted ? step_top_compiled(vm, blob, registers)
                                                  : step_caller_by_size(blob, registers);
      break;
    case BlobKind::kInterpreter:
      stepped = step_interpreted(vm, blob, registers, place);
      break;
    case BlobKind::kFramed:
    case BlobKind::kUnframed:
      if (registers->pc == vm.call_stub_return) {
        uintptr_t fp = registers->fp;
        if (fp < sp_before || fp - sp_before > kLargestFrame) return CodeStep::kFailed;
        *registers = {return_address(load(fp + kWord)), fp + 2 * kWord, load(fp)};
        return CodeStep::kEntry;
      }
      stepped = step_stub(vm, blob, registers, place);
      break;
  }
  return stepped && is_further_out(registers->sp, sp_before, place == FramePlace::kInterrupted) ? CodeStep::kStepped
                                                                                                : CodeStep::kFailed;
}

}  // namespace hearth::capture
