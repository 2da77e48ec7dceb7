#include "capture/arch/first_instruction.h"

namespace hearth::capture {
namespace {

using Kind = FirstInstruction::Kind;

constexpr int kRegisters[] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
                              REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};
constexpr uint8_t kRsp = 4;

// A loop: the compiler must not make a call of memcpy.
uint64_t number(const uint8_t* bytes, int count) {
  uint64_t result = 0;
  for (int i = 0; i < count; i++) result |= static_cast<uint64_t>(bytes[i]) << (8 * i);
  return result;
}

uint64_t signed_number(const uint8_t* bytes, int count) {
  int unused = 64 - 8 * count;
  return static_cast<uint64_t>(static_cast<int64_t>(number(bytes, count) << unused) >> unused);
}

// Decodes one instruction after its REX prefix (Intel's manual, volume 2, chapter 2).
class Decoder {
 public:
  Decoder(const uint8_t* code, uintptr_t address, FirstInstruction* out) : code_(code), address_(address), out_(out) {
    if ((code[0] & 0xf0) == 0x40) rex_ = code[at_++];
    out_->wide = (rex_ & 8) != 0;
  }

  bool run() {
    uint8_t opcode = code_[at_++];
    if (opcode >= 0x50 && opcode <= 0x57) {
      return finish(Kind::kPush, extended(opcode & 7, 1), 0);
    }
    if (opcode >= 0xb8 && opcode <= 0xbf) {
      int bytes = out_->wide ? 8 : 4;
      out_->value = number(code_ + at_, bytes);
      return finish(Kind::kSet, extended(opcode & 7, 1), bytes);
    }
    return with_operands(opcode);
  }

 private:
  bool with_operands(uint8_t opcode) {
    uint8_t modrm = code_[at_++];
    bool registers = modrm >> 6 == 3;
    bool pc_relative = (modrm & 0xc7) == 5;
    uint8_t field = modrm >> 3 & 7;
    uint8_t reg = extended(field, 4);
    uint8_t rm = extended(modrm & 7, 1);
    switch (opcode) {
      case 0x89:
        return registers && between(Kind::kCopy, rm, reg);
      case 0x8b:
        if (registers) return between(Kind::kCopy, reg, rm);
        return pc_relative && at_address(Kind::kLoad, reg);
      case 0x8d:
        return pc_relative && out_->wide && at_address(Kind::kSet, reg);
      case 0x31:
      case 0x33:
        return registers && reg == rm && finish(Kind::kZero, reg, 0);
      case 0x85:
        return registers && between(Kind::kTest, rm, reg);
      case 0x81:
      case 0x83: {
        int bytes = opcode == 0x81 ? 4 : 1;
        out_->value = signed_number(code_ + at_, bytes);
        return registers && field == 5 && out_->wide && rm == kRsp && finish(Kind::kSubtract, rm, bytes);
      }
      default:
        return false;
    }
  }

  uint8_t extended(int low, int rex_bit) const { return static_cast<uint8_t>(low | ((rex_ & rex_bit) != 0 ? 8 : 0)); }

  bool between(Kind kind, uint8_t target, uint8_t source) {
    out_->source = source;
    return finish(kind, target, 0);
  }

  bool at_address(Kind kind, uint8_t target) {
    constexpr int kBytes = 4;
    out_->value = address_ + static_cast<uintptr_t>(at_ + kBytes) + signed_number(code_ + at_, kBytes);
    return finish(kind, target, kBytes);
  }

  bool finish(Kind kind, uint8_t target, int bytes_left) {
    out_->kind = kind;
    out_->target = target;
    out_->length = static_cast<uint8_t>(at_ + bytes_left);
    return true;
  }

  const uint8_t* code_;
  uintptr_t address_;
  FirstInstruction* out_;
  int at_ = 0;
  uint8_t rex_ = 0;
};

constexpr uint64_t kCarry = 0x1, kParity = 0x4, kAdjust = 0x10, kZeroFlag = 0x40, kSign = 0x80, kOverflow = 0x800;

void set_flags(greg_t* registers, uint64_t result, int bits, uint64_t more) {
  uint64_t flags = more;
  if (result == 0) flags |= kZeroFlag;
  if ((result >> (bits - 1) & 1) != 0) flags |= kSign;
  if (__builtin_parity(static_cast<uint8_t>(result)) == 0) flags |= kParity;
  constexpr uint64_t kAll = kCarry | kParity | kAdjust | kZeroFlag | kSign | kOverflow;
  registers[REG_EFL] = static_cast<greg_t>((static_cast<uint64_t>(registers[REG_EFL]) & ~kAll) | flags);
}

uint64_t subtract(greg_t* registers, uint64_t from, uint64_t what) {
  uint64_t result = from - what;
  uint64_t more = from < what ? kCarry : 0;
  if (((from ^ what) & (from ^ result)) >> 63 != 0) more |= kOverflow;
  more |= (from ^ what ^ result) & kAdjust;
  set_flags(registers, result, 64, more);
  return result;
}

}  // namespace

bool decode(const uint8_t* code, uintptr_t address, FirstInstruction* instruction) {
  constexpr uint64_t kEndbr64 = 0xfa1e0ff3;
  if (number(code, 4) == kEndbr64) {
    *instruction = {};
    instruction->length = 4;
    return true;
  }
  return Decoder(code, address, instruction).run();
}

void carry_out(const FirstInstruction& instruction, uintptr_t address, greg_t* registers) {
  greg_t* target = registers + kRegisters[instruction.target];
  auto before = static_cast<uint64_t>(*target);
  auto source = static_cast<uint64_t>(registers[kRegisters[instruction.source]]);
  uint64_t mask = instruction.wide ? UINT64_MAX : UINT32_MAX;
  switch (instruction.kind) {
    case Kind::kNothing:
      break;
    case Kind::kPush:
      registers[REG_RSP] -= 8;
      *reinterpret_cast<uint64_t*>(registers[REG_RSP]) = before;
      break;
    case Kind::kSet:
      *target = static_cast<greg_t>(instruction.value);
      break;
    case Kind::kCopy:
      *target = static_cast<greg_t>(source & mask);
      break;
    case Kind::kLoad:
      *target = static_cast<greg_t>(instruction.wide ? *reinterpret_cast<const uint64_t*>(instruction.value)
                                                     : *reinterpret_cast<const uint32_t*>(instruction.value));
      break;
    case Kind::kZero:
      *target = 0;
      set_flags(registers, 0, 64, 0);
      break;
    case Kind::kSubtract:
      *target = static_cast<greg_t>(subtract(registers, before, instruction.value));
      break;
    case Kind::kTest:
      set_flags(registers, before & source & mask, instruction.wide ? 64 : 32, 0);
      break;
  }
  uintptr_t behind = address + instruction.length;
  registers[REG_RIP] = static_cast<greg_t>(behind);
}

void carry_out(const FirstInstruction& instruction, uintptr_t address, ucontext_t* interrupted) {
  carry_out(instruction, address, interrupted->uc_mcontext.gregs);
}

}  // namespace hearth::capture
