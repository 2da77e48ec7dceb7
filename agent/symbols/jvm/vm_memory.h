// The JVM's own memory, read outside signals.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace hearth::symbols {

// Where something is for sure.
template <typename T>
T read(uintptr_t address) {
  T value;
  std::memcpy(&value, reinterpret_cast<const void*>(address), sizeof value);
  return value;
}

// Copies memory that may not be there; returns how many bytes could be read.
size_t read_own_memory(void* to, uintptr_t from, size_t size);

// Where it may be gone.
inline bool read_checked(uintptr_t address, void* to, size_t size) {
  return read_own_memory(to, address, size) == size;
}

// A word; 0 stands for what is not there.
inline uintptr_t read_checked(uintptr_t address) {
  uintptr_t value = 0;
  return read_checked(address, &value, sizeof value) ? value : 0;
}

}  // namespace hearth::symbols
