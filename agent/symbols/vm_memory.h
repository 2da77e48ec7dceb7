// The JVM's own memory, read outside signals.
#pragma once

#include <sys/uio.h>
#include <unistd.h>

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

// Where it may be gone: the kernel reads it, and says so (process_vm_readv(2)).
inline bool read_checked(uintptr_t address, void* to, size_t size) {
  iovec local = {to, size};
  iovec remote = {reinterpret_cast<void*>(address), size};
  return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == static_cast<ssize_t>(size);
}

// A word; 0 stands for what is not there.
inline uintptr_t read_checked(uintptr_t address) {
  uintptr_t value = 0;
  return read_checked(address, &value, sizeof value) ? value : 0;
}

}  // namespace hearth::symbols
