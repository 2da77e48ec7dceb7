// Names come from class files, symbol tables and strangers' files; outputs promise UTF-8.
#pragma once

#include <string>
#include <string_view>

namespace hearth::profile {

// `text` with every byte that is not part of well-formed UTF-8 (RFC 3629: no overlong forms, no surrogates) replaced by
// U+FFFD.
std::string valid_utf8(std::string_view text);

// The same for people's eyes: control characters, which a terminal obeys, and those that turn the direction of text
// around are U+FFFD as well; tabs and ends of lines are blanks.
std::string shown_text(std::string_view text);

// The same for a text of several lines: tabs and ends of lines stay.
std::string shown_lines(std::string_view text);

// How many bytes of `text` end with a whole letter, when more of it is to come.
size_t whole_letters(std::string_view text);

}  // namespace hearth::profile
