// Classes of object sizes, each a quarter of a power of two wide: the error of an estimate depends on the sizes of the
// objects, and one site may make arrays of any size. Signal safe.
#pragma once

#include <cstdint>

namespace hearth::events {

// Returns 1 to 252; 0 if `bytes` is not positive.
constexpr uint8_t size_class(int64_t bytes) {
  if (bytes <= 0) return 0;
  auto size = static_cast<uint64_t>(bytes);
  unsigned power = 63 - static_cast<unsigned>(__builtin_clzll(size));
  uint64_t quarter = (power >= 2 ? size >> (power - 2) : size << (2 - power)) & 3;
  return static_cast<uint8_t>(1 + 4 * power + quarter);
}

// Returns the smallest size of a class, 0 for class 0.
constexpr int64_t least_size(uint8_t size_class) {
  if (size_class == 0) return 0;
  unsigned power = (size_class - 1U) / 4;
  uint64_t quarters = 4 + (size_class - 1U) % 4;
  return static_cast<int64_t>(power >= 2 ? quarters << (power - 2) : quarters >> (2 - power));
}

}  // namespace hearth::events
