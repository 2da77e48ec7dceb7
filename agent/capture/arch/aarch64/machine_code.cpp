// How HotSpot's compilers, C1 and C2 of JDK 8 to 27, write the beginning and the end of a frame on aarch64
// (cpu/aarch64/macroAssembler_aarch64.cpp: build_frame, remove_frame, enter, leave; aarch64.ad: MachEpilogNode;
// sharedRuntime_aarch64.cpp: generate_native_wrapper).
#include "capture/arch/machine_code.h"
#include "capture/faults/safe_load.h"

namespace hearth::capture {
namespace {

constexpr uintptr_t kWord = sizeof(uintptr_t);
constexpr uintptr_t kInstruction = 4;

constexpr uint32_t kRet = 0xd65f03c0;
constexpr uint32_t kPushPair = 0xa9bf7bfd;     // stp x29,x30,[sp,#-16]!
constexpr uint32_t kPopPair = 0xa8c17bfd;      // ldp x29,x30,[sp],#16
constexpr uint32_t kStorePair = 0xa9007bfd;    // stp x29,x30,[sp,#0]; words in bits 15 to 21
constexpr uint32_t kLoadPair = 0xa9407bfd;     // ldp x29,x30,[sp,#0]
constexpr uint32_t kReserve = 0xd10003ff;      // sub sp,sp,#0; bytes in bits 10 to 21
constexpr uint32_t kRelease = 0x910003ff;      // add sp,sp,#0
constexpr uint32_t kReserveByX8 = 0xcb2863ff;  // sub sp,sp,x8
constexpr uint32_t kReleaseByX8 = 0x8b2863ff;  // add sp,sp,x8
constexpr uint32_t kReleaseByFp = 0x910003bf;  // mov sp,x29
constexpr uint32_t kHints = 0xd503201f;        // nop; the number in bits 5 to 11: bti, paciasp

uint32_t code_at(uintptr_t address) {
  return load32(address);
}

bool is_hint(uint32_t code) {
  return (code & 0xfffff01f) == kHints;
}

uint32_t pair_at(uint32_t code, uintptr_t bytes) {
  return code | static_cast<uint32_t>(bytes / kWord) << 15;
}

uint32_t by_bytes(uint32_t code, uintptr_t bytes) {
  return code | static_cast<uint32_t>(bytes) << 10;
}

bool is_small(const CodeBlob& blob) {
  constexpr uintptr_t kMostOfPair = 512;  // the reach of stp
  return blob.frame_bytes - 2 * kWord < kMostOfPair;
}

// Address of the instruction that reserves the rest of the frame behind the push of the pair at `push`; its end for a
// frame without a rest.
uintptr_t end_of_reserve(const CodeBlob& blob, uintptr_t push) {
  constexpr int kMostBetween = 5;  // mov x29,sp; mov x8,imm in up to three
  if (blob.frame_bytes == 2 * kWord) return push + kInstruction;
  for (int i = 1; i <= kMostBetween; i++) {
    uintptr_t at = push + static_cast<uintptr_t>(i) * kInstruction;
    uint32_t code = code_at(at);
    if (code == kReserveByX8 || (code & 0xff8003ff) == kReserve) return at + kInstruction;
  }
  return push + kInstruction;
}

// The frame begins in one of two ways, found backwards from where it is complete; in between is a barrier.
//   sub sp,sp,#size; stp x29,x30,[sp,#size-16]
//   stp x29,x30,[sp,#-16]!; sub sp,sp,#size-16             a large frame, or a native wrapper's
FrameState state_in_prologue(const CodeBlob& blob, uintptr_t pc) {
  constexpr int kMostSearched = 64;
  uint32_t store = pair_at(kStorePair, blob.frame_bytes - 2 * kWord);
  uintptr_t at = blob.code_begin + static_cast<uintptr_t>(blob.frame_complete);
  for (int i = 0; i < kMostSearched && at > blob.code_begin; i++) {
    at -= kInstruction;
    uint32_t code = code_at(at);
    if (is_small(blob) && code == by_bytes(kReserve, blob.frame_bytes) && code_at(at + kInstruction) == store)
      return pc <= at ? FrameState::kNone : pc == at + kInstruction ? FrameState::kReserved : FrameState::kBuilt;
    if (code != kPushPair) continue;
    return pc <= at ? FrameState::kNone : pc < end_of_reserve(blob, at) ? FrameState::kSaved : FrameState::kBuilt;
  }
  return FrameState::kUnknown;
}

// Whether the frame is gone once the instructions that end at `end` have run.
bool removes_frame(const CodeBlob& blob, uintptr_t end) {
  uint32_t last = code_at(end - kInstruction);
  if (last == kPopPair) return true;
  return is_small(blob) && last == by_bytes(kRelease, blob.frame_bytes) &&
         code_at(end - 2 * kInstruction) == pair_at(kLoadPair, blob.frame_bytes - 2 * kWord);
}

// Instructions between the frame's removal and ret: a safepoint poll, the check of a reserved zone, of a pending
// exception (loads by x28, and into x8), the authentication of lr.
bool may_follow_removal(uint32_t code) {
  bool loads_by_thread = (code & 0xbfc003e0) == 0xb9400380;
  bool compares_sp = (code & 0xffe0fc1f) == 0xeb20601f;  // cmp sp,x8
  bool branches_on = (code & 0xff000010) == 0x54000000;  // b.cond
  bool branches_on_register = (code & 0x7e000000) == 0x34000000;
  bool moves_to_x8 = (code & 0x1f800000) == 0x12800000 && (code & 0x1f) == 8;  // mov x8,imm in up to three
  bool page_to_x8 = (code & 0x9f00001f) == 0x90000008;                         // adrp x8
  bool polls_page = (code & 0xbfc0001f) == 0xb940001f;                         // ldr wzr,[x8]
  bool tests_bit = (code & 0x7e000000) == 0x36000000;
  return loads_by_thread || compares_sp || branches_on || branches_on_register || moves_to_x8 || page_to_x8 ||
         polls_page || tests_bit || is_hint(code);
}

bool is_behind_removal(const CodeBlob& blob, uintptr_t pc) {
  constexpr int kMostBetween = 8;
  for (int i = 0; i < kMostBetween; i++, pc -= kInstruction) {
    if (removes_frame(blob, pc)) return true;
    if (!may_follow_removal(code_at(pc - kInstruction))) return false;
  }
  return false;
}

bool is_address_to_x8(uint32_t code) {
  return (code & 0x9f00001f) == 0x10000008;  // adr x8
}
bool is_jump(uint32_t code) {
  return (code & 0xfc000000) == 0x14000000 || (code & 0xfffffc1f) == 0xd61f0000;  // b, br
}
bool stores_x8_in_thread(uint32_t code) {
  return (code & 0xffc003ff) == 0xf9000388;  // str x8,[x28,#d]
}

// Where the poll goes that finds a safepoint, behind the method: adr x8; str x8,[x28,#d]; a jump of up to three.
bool is_in_poll_stub(uintptr_t pc) {
  if (is_address_to_x8(code_at(pc)) && stores_x8_in_thread(code_at(pc + kInstruction))) return true;
  constexpr int kMostBehind = 4;
  for (int i = 0; i < kMostBehind; i++, pc -= kInstruction) {
    uint32_t code = code_at(pc);
    if (stores_x8_in_thread(code)) return is_address_to_x8(code_at(pc - kInstruction));
    if (i > 0 && is_jump(code)) return false;
  }
  return false;
}

FrameState state_in_epilogue(const CodeBlob& blob, uintptr_t pc) {
  uint32_t code = code_at(pc);
  if (code == kRet) return FrameState::kNone;
  if (code == kPopPair) {
    uint32_t before = code_at(pc - kInstruction);
    bool released = before == kReleaseByFp || before == kReleaseByX8 || (before & 0xff8003ff) == kRelease;
    return released || blob.frame_bytes == 2 * kWord ? FrameState::kSaved : FrameState::kBuilt;
  }
  if (is_small(blob) && code == by_bytes(kRelease, blob.frame_bytes) &&
      code_at(pc - kInstruction) == pair_at(kLoadPair, blob.frame_bytes - 2 * kWord))
    return FrameState::kReserved;
  return is_behind_removal(blob, pc) || is_in_poll_stub(pc) ? FrameState::kNone : FrameState::kBuilt;
}

}  // namespace

FrameState frame_state(const CodeBlob& blob, uintptr_t pc) {
  if (static_cast<intptr_t>(pc - blob.code_begin) < blob.frame_complete) return state_in_prologue(blob, pc);
  return state_in_epilogue(blob, pc);
}

FrameState native_frame_state(const Registers& registers) {
  uint32_t code = code_at(registers.pc);
  bool pushes_pair = (code & 0xffc07fff) == 0xa9807bfd;  // stp x29,x30,[sp,#-d]!
  // A procedure linkage table's adrp x16; ldr x17,[x16]; add x16,x16; br x17.
  bool is_linkage = (code & 0x9f00001f) == 0x90000010 || (code & 0xffc003ff) == 0xf9400211 ||
                    (code & 0xffc003ff) == 0x91000210 || code == 0xd61f0220;
  if (code == kRet || pushes_pair || is_hint(code) || is_linkage) return FrameState::kNone;
  bool is_saved = load(registers.sp) == registers.fp && return_address(load(registers.sp + kWord)) == registers.lr &&
                  registers.lr != 0;
  return is_saved ? FrameState::kSaved : FrameState::kBuilt;
}

bool behind_call(uintptr_t pc) {
  uint32_t code = code_at(pc - kInstruction);
  bool by_register = (code & 0xfefff000) == 0xd63f0000;  // blr, blraa
  return (code & 0xfc000000) == 0x94000000 || by_register;
}

bool behind_native_call(uintptr_t pc) {
  return behind_call(pc);
}

namespace {

int64_t sign_extended(uint64_t value, int bits) {
  return static_cast<int64_t>(value << (64 - bits)) >> (64 - bits);
}

// A call too far for bl goes to a trampoline: ldr x8,#8; br x8; the address.
uintptr_t through_trampoline(uintptr_t target) {
  constexpr uint32_t kLoadBehind = 0x58000048, kJump = 0xd61f0100;
  bool is_trampoline = code_at(target) == kLoadBehind && code_at(target + kInstruction) == kJump;
  return is_trampoline ? load(target + 2 * kInstruction) : target;
}

// adrp reg; add reg,reg,#low; blr reg
uintptr_t page_target(uintptr_t call, uint32_t reg) {
  uint32_t page = code_at(call - 2 * kInstruction);
  uint32_t low = code_at(call - kInstruction);
  if ((page & 0x9f00001f) != (0x90000000 | reg) || (low & 0xffc003ff) != (0x91000000 | reg << 5 | reg)) return 0;
  constexpr uintptr_t kPage = 4096;  // of adrp, whatever the kernel's are
  uint64_t pages = (page >> 5 & 0x7ffff) << 2 | (page >> 29 & 3);
  uintptr_t base = (call - 2 * kInstruction) & ~(kPage - 1);
  return base + static_cast<uintptr_t>(sign_extended(pages, 21) * int64_t{kPage}) + (low >> 10 & 0xfff);
}

// movz reg; movk reg,lsl 16; movk reg,lsl 32; blr reg
uintptr_t constant_target(uintptr_t call, uint32_t reg) {
  constexpr uint32_t kParts[] = {0xd2800000, 0xf2a00000, 0xf2c00000};
  uintptr_t target = 0;
  for (uint32_t i = 0; i < 3; i++) {
    uint32_t code = code_at(call - (3 - i) * kInstruction);
    if ((code & 0xffe0001f) != (kParts[i] | reg)) return 0;
    target |= static_cast<uintptr_t>(code >> 5 & 0xffff) << (16 * i);
  }
  return target;
}

}  // namespace

uintptr_t called_before(uintptr_t pc) {
  uintptr_t call = pc - kInstruction;
  uint32_t code = code_at(call);
  if ((code & 0xfc000000) == 0x94000000)
    return through_trampoline(call +
                              static_cast<uintptr_t>(sign_extended(code & 0x3ffffff, 26) * int64_t{kInstruction}));
  if ((code & 0xfffffc1f) != 0xd63f0000) return 0;
  uint32_t reg = code >> 5 & 0x1f;
  uintptr_t target = page_target(call, reg);
  return target != 0 ? target : constant_target(call, reg);
}

namespace {

// ldp of two registers, not those of a frame, from sp with post-increment.
uintptr_t popped_by_pair(uint32_t code) {
  bool pops = (code & 0xffe003e0) == 0xa8c003e0 && code != kPopPair;
  return pops ? code >> 15 & 0x3f : 0;
}

// ldr of one register, which JDK 25 takes for the result of slow_subtype_check.
uintptr_t popped_by_one(uint32_t code) {
  bool pops = (code & 0xfff00fe0) == 0xf84007e0;
  return pops ? (code >> 12 & 0xff) / kWord : 0;
}

}  // namespace

uintptr_t popped_at(uintptr_t pc) {
  uintptr_t words = 0;
  for (;; pc += kInstruction) {
    uint32_t code = code_at(pc);
    uintptr_t popped = popped_by_pair(code) + popped_by_one(code);
    if (popped == 0) return words;
    words += popped;
  }
}

// By the code up to `pc`: stp of two registers, not those of a frame, with sp moved before, and ldp with sp moved
// after. Code behind a ret is reached with what the first instruction has pushed.
uintptr_t pushed_without_frame(uintptr_t entry, uintptr_t pc) {
  constexpr uintptr_t kMostCode = 1024;
  auto pushed_by = [](uint32_t code) {
    bool pushes = (code & 0xffe003e0) == 0xa9a003e0 && (code & 0xffc07fff) != 0xa9807bfd;
    return pushes ? -sign_extended(code >> 15 & 0x7f, 7) : 0;
  };
  int64_t first = pushed_by(code_at(entry));
  if (first == 0 || pc - entry > kMostCode) return 0;
  int64_t words = 0;
  for (; entry < pc; entry += kInstruction) {
    uint32_t code = code_at(entry);
    bool pops = (code & 0xffe003e0) == 0xa8c003e0 && (code & 0xffc07fff) != 0xa8c07bfd;
    words += pushed_by(code) - (pops ? code >> 15 & 0x7f : 0);
    if (code == kRet) words = first;
  }
  return static_cast<uintptr_t>(words > 0 ? words : 0);
}

}  // namespace hearth::capture
