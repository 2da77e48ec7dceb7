// Makes valid UTF-8 of names from class files, symbol tables and untrusted files.
#pragma once

#include <string>
#include <string_view>

namespace hearth::profile {

// `text` with every byte that is not part of well-formed UTF-8 (RFC 3629: no overlong forms, no surrogates) replaced by
// U+FFFD.
std::string valid_utf8(std::string_view text);

// As valid_utf8(), for display: control characters, which a terminal obeys, and those that reverse the direction of
// text become U+FFFD; tabs and line breaks become blanks.
std::string shown_text(std::string_view text);

// As shown_text(), for a text of several lines: keeps tabs and line breaks.
std::string shown_lines(std::string_view text);

// Number of leading bytes of `text` that end with a whole character, if more bytes will follow.
size_t whole_letters(std::string_view text);

// `text`, cut behind its last whole character if it has more than `most` bytes.
std::string_view cut_text(std::string_view text, size_t most);

}  // namespace hearth::profile
