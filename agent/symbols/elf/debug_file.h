// Finds the separate debug file of an object in the places that distributions use. Any thread; not signal safe.
#pragma once

#include <string>

#include "symbols/elf/elf_image.h"

namespace hearth::symbols {

// Searches by build-id under debug_root, else by .gnu_debuglink next to the object, in its .debug/ and under
// debug_root. Accepts only a file that belongs to the object (same build-id, or the link's checksum). Returns an empty
// image if there is none.
ElfImage find_debug_file(const ElfImage& object, const std::string& path, const std::string& debug_root);

}  // namespace hearth::symbols
