#include "capture/arch/first_instruction.h"

namespace hearth::capture {
namespace {

using Kind = FirstInstruction::Kind;

constexpr uint8_t kZeroRegister = 31, kSp = 31, kLr = 30;

uint32_t field(uint32_t code, int low, int bits) {
  return code >> low & ((1U << bits) - 1);
}

uint64_t sign_extended(uint64_t value, int bits) {
  return static_cast<uint64_t>(static_cast<int64_t>(value << (64 - bits)) >> (64 - bits));
}

bool decode_hint(uint32_t code, FirstInstruction* out) {
  constexpr uint32_t kSignLink = 25, kFirstOfBti = 32;
  uint32_t number = field(code, 5, 7);
  bool is_bti = number >= kFirstOfBti && (number & 0x39) == kFirstOfBti;
  if (number == kSignLink) out->kind = Kind::kSignLink;
  return number == 0 || number == kSignLink || is_bti;
}

bool decode_push(uint32_t code, FirstInstruction* out) {
  out->kind = Kind::kPush;
  out->target = static_cast<uint8_t>(field(code, 0, 5));
  if (field(code, 5, 5) != kSp) return false;
  if ((code & 0xffe00c00) == 0xf8000c00) {  // str x,[sp,#-d]!
    out->moves_sp = true;
    out->value = sign_extended(field(code, 12, 9), 9);
    return true;
  }
  bool is_pre = (code & 0xffc00000) == 0xa9800000;
  if (!is_pre && (code & 0xffc00000) != 0xa9000000) return false;  // stp x,x,[sp,#d]
  out->is_pair = true;
  out->moves_sp = is_pre;
  out->source = static_cast<uint8_t>(field(code, 10, 5));
  out->value = sign_extended(field(code, 15, 7), 7) * sizeof(uint64_t);
  return true;
}

bool decode_set(uint32_t code, uintptr_t address, FirstInstruction* out) {
  out->kind = Kind::kSet;
  out->target = static_cast<uint8_t>(field(code, 0, 5));
  if (out->target == kZeroRegister) return false;
  if ((code & 0x7f800000) == 0x52800000) {  // movz
    out->value = uint64_t{field(code, 5, 16)} << (16 * field(code, 21, 2));
    return true;
  }
  if ((code & 0x1f000000) != 0x10000000) return false;  // adr, adrp
  uint64_t offset = sign_extended(field(code, 5, 19) << 2 | field(code, 29, 2), 21);
  constexpr uint64_t kPage = 4096;
  bool is_page = (code & 0x80000000) != 0;
  out->value = is_page ? (address & ~(kPage - 1)) + offset * kPage : address + offset;
  return true;
}

}  // namespace

bool decode(const uint8_t* bytes, uintptr_t address, FirstInstruction* instruction) {
  uint32_t code = 0;
  for (int i = 3; i >= 0; i--) code = code << 8 | bytes[i];
  *instruction = {};
  if ((code & 0xfffff01f) == 0xd503201f) return decode_hint(code, instruction);
  if (decode_push(code, instruction)) return true;
  *instruction = {};
  if (decode_set(code, address, instruction)) return true;
  *instruction = {};
  if ((code & 0xff8003ff) == 0xd10003ff) {  // sub sp,sp,#bytes
    instruction->kind = Kind::kSubtract;
    instruction->value = uint64_t{field(code, 10, 12)} << (field(code, 22, 1) * 12);
    return true;
  }
  if ((code & 0xffe0ffe0) == 0xaa0003e0) {  // mov x,x
    instruction->kind = Kind::kCopy;
    instruction->target = static_cast<uint8_t>(field(code, 0, 5));
    instruction->source = static_cast<uint8_t>(field(code, 16, 5));
    return instruction->target != kZeroRegister;
  }
  return false;
}

void carry_out(const FirstInstruction& instruction, uintptr_t address, ucontext_t* interrupted) {
  mcontext_t& context = interrupted->uc_mcontext;
  auto* registers = context.regs;
  auto value_of = [&](uint8_t number) { return number == kZeroRegister ? 0 : registers[number]; };
  switch (instruction.kind) {
    case Kind::kNothing:
      break;
    case Kind::kSignLink: {
      register uint64_t link asm("x17") = registers[kLr];
      register uint64_t modifier asm("x16") = context.sp;
      asm("hint #8" : "+r"(link) : "r"(modifier));  // pacia1716, which does nothing on processors without it
      registers[kLr] = link;
      break;
    }
    case Kind::kPush: {
      uint64_t to = context.sp + instruction.value;
      auto* words = reinterpret_cast<uint64_t*>(to);
      words[0] = value_of(instruction.target);
      if (instruction.is_pair) words[1] = value_of(instruction.source);
      if (instruction.moves_sp) context.sp = to;
      break;
    }
    case Kind::kSet:
      registers[instruction.target] = instruction.value;
      break;
    case Kind::kCopy:
      registers[instruction.target] = value_of(instruction.source);
      break;
    case Kind::kSubtract:
      context.sp -= instruction.value;
      break;
  }
  context.pc = address + sizeof(uint32_t);
}

}  // namespace hearth::capture
