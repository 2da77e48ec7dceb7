// Unwind rules of one object, from the .eh_frame that C and C++ compilers write for exceptions into every module, or
// from the .debug_frame that they write for debuggers instead. Linux Standard Base, "Exception Frames"; DWARF 5, 6.4.
// Pure functions of bytes: any thread, not signal safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "capture/unwind/native/native_rules.h"
#include "symbols/elf/elf_symbols.h"

namespace hearth::symbols {

// A part of an object's memory with .eh_frame_hdr and .eh_frame. Addresses count from the load address.
struct EhFrameBytes {
  const uint8_t* bytes = nullptr;
  size_t size = 0;
  uint64_t address = 0;       // of bytes[0]
  uint64_t header = 0;        // of .eh_frame_hdr
  uint64_t load_address = 0;  // subtracted from absolute pointers, which the loader has relocated; 0 for a file's bytes
};

// Returns the start of .eh_frame, from the header's first bytes (12 are enough); 0 if the header is invalid.
uint64_t eh_frame_start(const EhFrameBytes& header);

// Returns rules sorted by start, with equal neighbours merged; addresses without a function are kUnknown, from 0 on.
// Empty without a table. Damaged tables give fewer or kUnknown rules, without a fault.
std::vector<capture::NativeRule> unwind_rules(const EhFrameBytes& bytes);

// The same for a whole section of a file. Leaves out functions outside of `code`: a linker that drops a function keeps
// its table.
enum class FrameSection : uint8_t { kEhFrame, kDebugFrame };
struct SectionBytes {
  FrameSection kind;
  std::string_view bytes;
  uint64_t address;  // of the section in the loaded object
};
std::vector<capture::NativeRule> unwind_rules(const SectionBytes& section, const std::vector<CodeRange>& code);

// Returns `rules`, with those of `others` where they are kUnknown.
std::vector<capture::NativeRule> completed(const std::vector<capture::NativeRule>& rules,
                                           const std::vector<capture::NativeRule>& others);

}  // namespace hearth::symbols
