// The first instruction of a function, understood well enough to be done by hand: a breakpoint takes its place. Signal
// safe, and calls nothing: whatever it called could be what the breakpoint is on.
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
    kZero,      // target = 0, and the flags of it
    kSubtract,  // target -= value, and the flags of it
    kTest,      // the flags of target & source
  };
  static constexpr size_t kLongest = 10;

  Kind kind = Kind::kNothing;
  uint8_t target = 0;  // registers as instructions number them: 4 is rsp
  uint8_t source = 0;
  bool wide = true;  // 64 bits; else 32, and the upper half of the target becomes 0
  uint8_t length = 0;
  uint64_t value = 0;
};

// `code` holds the bytes at `address`, kLongest of them. False: it is none of the instructions above, which begin some
// six of seven functions of libjvm.
bool decode(const uint8_t* code, uintptr_t address, FirstInstruction* instruction);

// Does what the instruction at `address` would have done to the thread that stands before it, which then stands behind
// it. The registers are those of a signal's context.
void carry_out(const FirstInstruction& instruction, uintptr_t address, greg_t* registers);

}  // namespace hearth::capture
