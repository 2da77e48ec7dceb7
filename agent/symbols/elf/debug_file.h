// The separate debug file of an object, where distributions put it. Any thread; not signal safe.
#pragma once

#include <string>

#include "symbols/elf/elf_image.h"

namespace hearth::symbols {

// By build-id under debug_root, else by .gnu_debuglink beside the object, in its .debug/ and under debug_root. Only a
// file that belongs to the object (same build-id, or the link's checksum) is taken; an empty image when there is none.
ElfImage find_debug_file(const ElfImage& object, const std::string& path, const std::string& debug_root);

}  // namespace hearth::symbols
