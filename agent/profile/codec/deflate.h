// zlib, for whole buffers.
#pragma once

#include <string>
#include <string_view>

namespace hearth::profile {

// Format around the compressed bytes.
enum class Wrapping { kRaw, kGzip };

std::string deflate(std::string_view bytes, Wrapping wrapping);

// Throws FormatError, naming `what`, if the data is invalid or inflates to more than a profile of its size can. Ignores
// bytes after the end of raw data; concatenates successive gzip members, as gzip does.
std::string inflate(std::string_view bytes, Wrapping wrapping, const char* what);

}  // namespace hearth::profile
