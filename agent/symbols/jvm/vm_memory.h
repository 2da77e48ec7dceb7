// The JVM's own memory, read outside signals.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace hearth::symbols {

// Reads memory that is certainly mapped.
template <typename T>
T read(uintptr_t address) {
  T value;
  std::memcpy(&value, reinterpret_cast<const void*>(address), sizeof value);
  return value;
}

// Copies memory that may be unmapped; returns the number of bytes that could be read.
size_t read_own_memory(void* to, uintptr_t from, size_t size);

// Reads memory that may be unmapped. False: it is.
inline bool read_checked(uintptr_t address, void* to, size_t size) {
  return read_own_memory(to, address, size) == size;
}

// Returns a word, or 0 if it is unmapped.
inline uintptr_t read_checked(uintptr_t address) {
  uintptr_t value = 0;
  return read_checked(address, &value, sizeof value) ? value : 0;
}

}  // namespace hearth::symbols
