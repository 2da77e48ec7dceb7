// Unwind rules from an object's file or its separate debug file. Any thread; not signal safe.
#pragma once

#include <vector>

#include "capture/unwind/native/native_rules.h"
#include "symbols/elf/elf_symbols.h"

namespace hearth::symbols {

// Completes `rules` of the object's memory for code that they do not cover: by the file's .debug_frame, or else its
// debug file's, and by .eh_frame if the object has no .eh_frame_hdr. Sections may be compressed by zlib.
std::vector<capture::NativeRule> with_rules_of_file(std::vector<capture::NativeRule> rules, const SymbolSource& source);

}  // namespace hearth::symbols
