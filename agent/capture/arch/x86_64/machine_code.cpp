// Prologues and epilogues of HotSpot's compilers, C1 and C2 of JDK 8 to 27, on x86-64 (cpu/x86/macroAssembler_x86.cpp
// and c2_MacroAssembler_x86.cpp: verified_entry; c1_MacroAssembler_x86.cpp: build_frame, remove_frame; x86.ad:
// MachEpilogNode; sharedRuntime_x86_64.cpp: generate_native_wrapper).
#include <initializer_list>

#include "capture/arch/machine_code.h"
#include "capture/faults/safe_load.h"

namespace hearth::capture {
namespace {

constexpr uintptr_t kWord = sizeof(uintptr_t);

uint8_t byte_at(uintptr_t address) {
  return static_cast<uint8_t>(load32(address, 0) & 0xff);
}

bool code_is(uintptr_t address, std::initializer_list<uint8_t> bytes) {
  uint64_t code = load(address);
  for (uint8_t byte : bytes) {
    if ((code & 0xff) != byte) return false;
    code >>= 8;
  }
  return true;
}

// Returns the length of `sub rsp,bytes` (48 83 EC imm8, 48 81 EC imm32) at `address`; 0: another instruction.
uintptr_t length_of_reserve(uintptr_t address, uintptr_t bytes) {
  if (code_is(address, {0x48, 0x83, 0xec}) && byte_at(address + 3) == bytes) return 4;
  return code_is(address, {0x48, 0x81, 0xec}) && load32(address + 3) == bytes ? 7 : 0;
}

// True for mov [rsp+d],rbp with no, 8 or 32 bits of displacement.
bool stores_fp(uintptr_t address) {
  return code_is(address, {0x48, 0x89, 0x6c, 0x24}) || code_is(address, {0x48, 0x89, 0xac, 0x24}) ||
         code_is(address, {0x48, 0x89, 0x2c, 0x24});
}

// Returns the address of the `push rbp` that ends at `end`, possibly followed by mov rbp,rsp; 0: there is none.
uintptr_t push_before(uintptr_t end) {
  if (byte_at(end - 1) == 0x55) return end - 1;
  return code_is(end - 4, {0x55, 0x48, 0x8b, 0xec}) ? end - 4 : 0;
}

// A prologue has one of two forms. The search goes backwards from the complete frame, by its size. Between the parts
// may be a barrier (cmp; jcc; call), padding, and instructions that keep rbp as a frame pointer.
//   push rbp; sub rsp,size-16                        after a touch of the stack's end; no sub for size 16
//   sub rsp,size-8; mov [rsp+size-16],rbp            a leaf of C2
FrameState state_in_prologue(const CodeBlob& blob, uintptr_t pc) {
  constexpr int kMostSearched = 64;
  uintptr_t at = blob.code_begin + static_cast<uintptr_t>(blob.frame_complete);
  for (int i = 0; i < kMostSearched && at > blob.code_begin; i++) {
    at--;
    if (blob.frame_bytes == 2 * kWord && byte_at(at) == 0x55 && code_is(at - 7, {0x89, 0x84, 0x24}))
      return pc <= at ? FrameState::kNone : FrameState::kBuilt;
    if (byte_at(at) != 0x48) continue;
    uintptr_t push = push_before(at);
    if (push != 0 && length_of_reserve(at, blob.frame_bytes - 2 * kWord) != 0)
      return pc <= push ? FrameState::kNone : pc <= at ? FrameState::kSaved : FrameState::kBuilt;
    uintptr_t length = length_of_reserve(at, blob.frame_bytes - kWord);
    if (length != 0 && stores_fp(at + length))
      return pc <= at ? FrameState::kNone : pc == at + length ? FrameState::kReserved : FrameState::kBuilt;
  }
  return FrameState::kUnknown;
}

// True for cmp qword [r15+d],0: a native wrapper checks for an exception.
bool compares_exception(uintptr_t address) {
  return code_is(address, {0x49, 0x83, 0x7f}) || code_is(address, {0x49, 0x83, 0xbf});
}

// True if the instructions that end at `end` remove the frame: add rsp,size-16; pop rbp, or a native wrapper's leave.
bool removes_frame(const CodeBlob& blob, uintptr_t end) {
  uint8_t last = byte_at(end - 1);
  if (blob.kind == BlobKind::kNative) return last == 0xc9 && compares_exception(end);
  if (last != 0x5d) return false;
  uintptr_t bytes = blob.frame_bytes - 2 * kWord;
  if (bytes == 0) return true;
  return (code_is(end - 5, {0x48, 0x83, 0xc4}) && byte_at(end - 2) == bytes) ||
         (code_is(end - 8, {0x48, 0x81, 0xc4}) && load32(end - 5) == bytes);
}

// First instructions between the removal of the frame and `ret`: of a safepoint poll, or of a native wrapper's check
// for an exception. A jump or a load by r10 follows.
struct PollBegin {
  uint8_t length;
  uint32_t bytes;  // the first three
};
constexpr PollBegin kPollBegins[] = {
    {4, 0x673b49},  // cmp rsp,[r15+d8], from JDK 25 on
    {7, 0xa73b49},  // cmp rsp,[r15+d32], from JDK 16 on
    {7, 0x978b4d},  // mov r10,[r15+d32], from JDK 10 on
    {5, 0x7f8349},  // cmp qword [r15+d8],0
    {8, 0xbf8349},  // cmp qword [r15+d32],0
};

bool is_behind_poll_begin(const CodeBlob& blob, uintptr_t pc) {
  for (const PollBegin& begin : kPollBegins) {
    uintptr_t at = pc - begin.length;
    if ((load32(at) & 0xffffff) == begin.bytes && removes_frame(blob, at)) return true;
  }
  constexpr uintptr_t kLongMove = 10;  // mov r10,imm64, of JDK 8
  return code_is(pc - kLongMove, {0x49, 0xba}) && removes_frame(blob, pc - kLongMove);
}

// True in the out-of-line part of a poll, behind the method: mov r10,imm64; mov [r15+d32],r10; jmp.
bool is_in_poll_stub(uintptr_t pc, uint8_t opcode) {
  auto is_store = [](uintptr_t at) { return code_is(at, {0x4d, 0x89, 0x97}) && byte_at(at + 7) == 0xe9; };
  switch (opcode) {
    case 0x49:
      return byte_at(pc + 1) == 0xba && is_store(pc + 10);
    case 0x4d:
      return is_store(pc);
    case 0xe9:
      return is_store(pc - 7);
    default:
      return false;
  }
}

FrameState state_in_epilogue(const CodeBlob& blob, uintptr_t pc) {
  constexpr uint8_t kRet = 0xc3, kPopRbp = 0x5d, kTwoBytes = 0x0f, kExtended = 0x41;
  uint8_t opcode = byte_at(pc);
  if (opcode == kRet || removes_frame(blob, pc)) return FrameState::kNone;
  if (opcode == kPopRbp && removes_frame(blob, pc + 1)) return FrameState::kSaved;
  bool follows = opcode == kTwoBytes || opcode == kExtended;
  if (follows && is_behind_poll_begin(blob, pc)) return FrameState::kNone;
  return is_in_poll_stub(pc, opcode) ? FrameState::kNone : FrameState::kBuilt;
}

}  // namespace

FrameState frame_state(const CodeBlob& blob, uintptr_t pc) {
  if (static_cast<intptr_t>(pc - blob.code_begin) < blob.frame_complete) return state_in_prologue(blob, pc);
  return state_in_epilogue(blob, pc);
}

FrameState native_frame_state(const Registers& registers) {
  constexpr uint8_t kRet = 0xc3, kPushRbp = 0x55;
  uintptr_t pc = registers.pc;
  bool is_marked = code_is(pc, {0xf3, 0x0f, 0x1e, 0xfa});  // endbr64
  if (byte_at(pc) == kRet || byte_at(is_marked ? pc + 4 : pc) == kPushRbp) return FrameState::kNone;
  // Compilers may schedule other instructions between the push and mov rbp,rsp.
  bool is_saved = load(registers.sp) == registers.fp && behind_native_call(load(registers.sp + kWord));
  return is_saved ? FrameState::kSaved : FrameState::kBuilt;
}

uintptr_t called_before(uintptr_t pc) {
  if (byte_at(pc - 5) == 0xe8) return pc + static_cast<uintptr_t>(static_cast<int32_t>(load32(pc - 4)));
  bool by_r10 = (load32(pc - 3) & 0xffffff) == 0xd2ff41 && (load32(pc - 13) & 0xffff) == 0xba49;
  return by_r10 ? load32(pc - 11) | static_cast<uintptr_t>(load32(pc - 7)) << 32 : 0;
}

bool behind_call(uintptr_t pc) {
  if (byte_at(pc - 5) == 0xe8) return true;
  if (byte_at(pc - 2) == 0xff && (byte_at(pc - 1) & 0xf8) == 0xd0) return true;
  if (byte_at(pc - 3) == 0xff && (byte_at(pc - 2) & 0xf8) == 0x50) return true;
  return byte_at(pc - 6) == 0xff && (byte_at(pc - 5) & 0xf8) == 0x90;
}

// Forms of FF /2 with memory: by a register (FF 10 to 17), with an index (FF 14 sib; FF 54 sib d8; FF 94 sib d32), or
// at [rip+d32] (FF 15).
bool behind_native_call(uintptr_t pc) {
  if (behind_call(pc)) return true;
  if (byte_at(pc - 2) == 0xff && (byte_at(pc - 1) & 0xf8) == 0x10) return true;
  if (byte_at(pc - 3) == 0xff && byte_at(pc - 2) == 0x14) return true;
  if (byte_at(pc - 4) == 0xff && byte_at(pc - 3) == 0x54) return true;
  if (byte_at(pc - 6) == 0xff && byte_at(pc - 5) == 0x15) return true;
  return byte_at(pc - 7) == 0xff && byte_at(pc - 6) == 0x94;
}

uintptr_t popped_at(uintptr_t pc) {
  constexpr uint8_t kPopRbp = 0x5d;  // ends a frame instead
  uintptr_t words = 0;
  for (;;) {
    bool extended = byte_at(pc) == 0x41;
    uint8_t opcode = byte_at(extended ? pc + 1 : pc);
    if ((opcode & 0xf8) != 0x58 || (!extended && opcode == kPopRbp)) return words;
    pc += extended ? 2 : 1;
    words++;
  }
}

uintptr_t pushed_without_frame(uintptr_t, uintptr_t) {
  return 0;
}

}  // namespace hearth::capture
