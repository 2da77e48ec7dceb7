// The processor that an ELF file is for, and its sections: these show whether a library fits a JVM, and name a native
// image.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hearth::launcher {

inline constexpr size_t kElfHeader = 64;  // bytes that processor_of() reads, at most

struct Processor {
  bool is_64_bit = false;
  uint16_t machine = 0;  // EM_… of elf.h

  bool operator==(const Processor& other) const { return is_64_bit == other.is_64_bit && machine == other.machine; }
  bool operator!=(const Processor& other) const { return !(*this == other); }
  bool is_supported() const;  // there is a libhearth.so for it
  std::string name() const;   // "x86-64", "32-bit x86"
};

// The processor of a file that begins with `content`; nothing for a file that is no ELF, or for one with the other
// order of bytes.
std::optional<Processor> processor_of(std::string_view content);

// True if the 64-bit ELF file `fd` has a section of that name. The file may be another user's: every number in it is
// held against bounds.
bool has_section(int fd, std::string_view name);

}  // namespace hearth::launcher
