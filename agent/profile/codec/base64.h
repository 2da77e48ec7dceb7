// RFC 4648 base64 with padding.
#pragma once

#include <string>
#include <string_view>

namespace hearth::profile {

// Appends, since the output is large and should be written once.
void append_base64(std::string& out, std::string_view bytes);

// Throws FormatError, naming `what`, for any other character (white space around it is allowed) or a wrong length.
std::string decode_base64(std::string_view text, const char* what);

}  // namespace hearth::profile
