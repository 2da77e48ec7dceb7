// Facts about a function's first instruction on aarch64. Included by arch/first_instruction.h.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hearth::capture {

struct FirstInstruction {
  enum class Kind : uint8_t {
    kNothing,   // nop, bti
    kSignLink,  // paciasp
    kPush,      // str target,[sp,#value] or stp target,source,[sp,#value], perhaps with pre-decrement
    kSet,       // target = value: mov of a constant, adr, adrp
    kCopy,      // target = source
    kSubtract,  // sp -= value
  };
  static constexpr size_t kLongest = 4;

  Kind kind = Kind::kNothing;
  uint8_t target = 0;  // 31: zero in stores
  uint8_t source = 0;
  bool is_pair = false;
  bool moves_sp = false;
  uint64_t value = 0;
};

}  // namespace hearth::capture
