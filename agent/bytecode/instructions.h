// Instructions of the JVM (JVMS 6.5) as far as moving them needs: their lengths and jumps.
#pragma once

#include "bytecode/class_bytes.h"

namespace hearth::bytecode {

namespace op {
inline constexpr uint8_t kSipush = 0x11, kLload = 0x16, kAload0 = 0x2a, kLstore = 0x37, kIinc = 0x84, kIfeq = 0x99,
                         kJsr = 0xa8, kTableswitch = 0xaa, kLookupswitch = 0xab, kIreturn = 0xac, kReturn = 0xb1,
                         kInvokespecial = 0xb7, kInvokestatic = 0xb8, kNew = 0xbb, kAthrow = 0xbf, kWide = 0xc4,
                         kIfnull = 0xc6, kIfnonnull = 0xc7, kGotoW = 0xc8, kJsrW = 0xc9;
}

constexpr bool is_return(uint8_t opcode) {
  return opcode >= op::kIreturn && opcode <= op::kReturn;
}
constexpr bool is_switch(uint8_t opcode) {
  return opcode == op::kTableswitch || opcode == op::kLookupswitch;
}
constexpr bool jumps_by_u2(uint8_t opcode) {
  return (opcode >= op::kIfeq && opcode <= op::kJsr) || opcode == op::kIfnull || opcode == op::kIfnonnull;
}
constexpr bool jumps_by_u4(uint8_t opcode) {
  return opcode == op::kGotoW || opcode == op::kJsrW;
}
// Bytes between a switch's opcode at `pc` and its operands.
constexpr size_t padding_of_switch(size_t pc) {
  return 3 - pc % 4;
}

// Returns the bytes of the instruction at `pc`, which all are inside the code. Throws ClassFileError for an unknown
// one and for one that is cut.
size_t instruction_length(const uint8_t* code, size_t size, size_t pc);

}  // namespace hearth::bytecode
