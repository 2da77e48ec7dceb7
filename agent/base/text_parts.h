// Splits, compares and encodes text without streams, which would bring the C++ library's locales into the agent. Any
// thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hearth {

// Returns the parts of `text` between separators; a separator at the end begins no part. They refer to `text`.
std::vector<std::string_view> parts_of(std::string_view text, char separator);

// Returns the parts of `text` that white space separates, none of them empty. They refer to `text`.
std::vector<std::string_view> words_of(std::string_view text);

inline bool starts_with(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}
inline bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

// Appends a code point, at most U+10FFFF, as UTF-8.
void put_utf8(uint32_t letter, std::string* text);

}  // namespace hearth
