#include "bytecode/instructions.h"

namespace hearth::bytecode {
namespace {

// Instructions with operands of a fixed size, by the last opcode of each run.
struct Run {
  uint8_t last;
  uint8_t length;  // 0: not fixed
};
constexpr Run kRuns[] = {{0x0f, 1}, {0x10, 2}, {0x11, 3}, {0x12, 2}, {0x14, 3}, {0x19, 2}, {0x35, 1},
                         {0x3a, 2}, {0x83, 1}, {0x84, 3}, {0x98, 1}, {0xa8, 3}, {0xa9, 2}, {0xab, 0},
                         {0xb1, 1}, {0xb8, 3}, {0xba, 5}, {0xbb, 3}, {0xbc, 2}, {0xbd, 3}, {0xbf, 1},
                         {0xc1, 3}, {0xc3, 1}, {0xc4, 0}, {0xc5, 4}, {0xc7, 3}, {0xc9, 5}};

size_t fixed_length(uint8_t opcode) {
  for (const Run& run : kRuns)
    if (opcode <= run.last) return run.length;
  throw ClassFileError("the code has an unknown instruction");
}

size_t switch_length(const uint8_t* code, size_t size, size_t pc) {
  ByteReader reader(code + pc, size - pc);
  bool is_table = reader.u1() == op::kTableswitch;
  reader.take(padding_of_switch(pc));
  reader.u4();
  int64_t first = static_cast<int32_t>(reader.u4());
  int64_t pairs = first;
  if (is_table) pairs = static_cast<int32_t>(reader.u4()) - first + 1;
  if (pairs < 0) throw ClassFileError("the code has a malformed switch");
  reader.take(static_cast<size_t>(pairs) * (is_table ? 4 : 8));
  return reader.at();
}

}  // namespace

size_t instruction_length(const uint8_t* code, size_t size, size_t pc) {
  ByteReader reader(code + pc, size - pc);
  uint8_t opcode = reader.u1();
  if (is_switch(opcode)) return switch_length(code, size, pc);
  size_t length = opcode == op::kWide ? (reader.u1() == op::kIinc ? 6 : 4) : fixed_length(opcode);
  ByteReader(code + pc, size - pc).take(length);
  return length;
}

}  // namespace hearth::bytecode
