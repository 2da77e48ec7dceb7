// The first instructions that are known on x86-64. Included by arch/first_instruction.h.
#pragma once

#include <sys/ucontext.h>

#include <cstddef>
#include <cstdint>

namespace hearth::capture {

struct FirstInstruction {
  enum class Kind : uint8_t {
    kNothing,   // endbr64
    kPush,      // push target
    kSet,       // target = value: mov of a constant, lea of an address
    kCopy,      // target = source
    kLoad,      // target = *value
    kZero,      // target = 0, with its flags
    kSubtract,  // target -= value, with its flags
    kTest,      // the flags of target & source
  };
  static constexpr size_t kLongest = 10;

  Kind kind = Kind::kNothing;
  uint8_t target = 0;  // registers as encoded in instructions: 4 is rsp
  uint8_t source = 0;
  bool wide = true;  // 64 bits; else 32, and the upper half of the target becomes 0
  uint8_t length = 0;
  uint64_t value = 0;
};

// The same as for a ucontext_t, on its registers.
void carry_out(const FirstInstruction& instruction, uintptr_t address, greg_t* registers);

}  // namespace hearth::capture
