// Unwind rules of one object, from the .eh_frame that C and C++ compilers leave in every module for exceptions, or from
// the .debug_frame that they write for debuggers instead. Linux Standard Base, "Exception Frames"; DWARF 5, 6.4. Pure
// functions of bytes: any thread, not signal safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "capture/unwind/native/native_rules.h"
#include "symbols/elf/elf_symbols.h"

namespace hearth::symbols {

// A stretch of an object's memory that holds .eh_frame_hdr and .eh_frame. Addresses count from the load address.
struct EhFrameBytes {
  const uint8_t* bytes = nullptr;
  size_t size = 0;
  uint64_t address = 0;       // of bytes[0]
  uint64_t header = 0;        // of .eh_frame_hdr
  uint64_t load_address = 0;  // taken off absolute pointers, which the loader has relocated; 0 for a file's bytes
};

// Where .eh_frame starts, read from the header's first bytes (12 are enough); 0 when the header is none.
uint64_t eh_frame_start(const EhFrameBytes& header);

// Sorted by start; equal neighbours are merged; what no function covers is kUnknown, from 0 on. Empty when there is no
// table. Damaged tables give fewer or kUnknown rules, never a fault.
std::vector<capture::NativeRule> unwind_rules(const EhFrameBytes& bytes);

// The same of a whole section as it is in a file. Functions outside of `code` are left out: the linker that drops one
// leaves its table behind.
enum class FrameSection : uint8_t { kEhFrame, kDebugFrame };
struct SectionBytes {
  FrameSection kind;
  std::string_view bytes;
  uint64_t address;  // of the section in the loaded object
};
std::vector<capture::NativeRule> unwind_rules(const SectionBytes& section, const std::vector<CodeRange>& code);

// `rules`, and where they are kUnknown those of `others`.
std::vector<capture::NativeRule> completed(const std::vector<capture::NativeRule>& rules,
                                           const std::vector<capture::NativeRule>& others);

}  // namespace hearth::symbols
