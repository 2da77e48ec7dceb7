// zlib, for whole buffers.
#pragma once

#include <string>
#include <string_view>

namespace hearth::profile {

// How the compressed bytes are wrapped.
enum class Wrapping { kRaw, kGzip };

std::string deflate(std::string_view bytes, Wrapping wrapping);

// Throws FormatError naming `what` when the bytes are not such data or inflate to more than a profile of their size
// does. Bytes after the end of raw data are ignored; gzip members that follow each other are joined, as gzip does.
std::string inflate(std::string_view bytes, Wrapping wrapping, const char* what);

}  // namespace hearth::profile
