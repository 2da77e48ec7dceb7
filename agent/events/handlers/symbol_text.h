// Texts of the JVM's Symbols, read from its memory. Signal safe; fault tolerant.
#pragma once

#include <cstdint>

#include "capture/faults/safe_load.h"
#include "capture/unwind/java/vm_layout.h"

namespace hearth::events {

// In bytes; 0: there is none. The layout must be known.
inline uint32_t symbol_length(const capture::ClassNameLayout& layout, uintptr_t symbol) {
  return symbol == 0 ? 0 : capture::load32(symbol + layout.symbol_length) & UINT16_MAX;
}

// Writes `length` bytes.
inline void copy_symbol(const capture::ClassNameLayout& layout, uintptr_t symbol, uint32_t length, char* text) {
  for (uint32_t i = 0; i < length; i += sizeof(uint64_t)) {
    uint64_t letters = capture::load(symbol + layout.symbol_body + i);
    for (uint32_t j = i; j < length && j < i + sizeof(uint64_t); j++, letters >>= 8)
      text[j] = static_cast<char>(letters & UINT8_MAX);
  }
}

}  // namespace hearth::events
