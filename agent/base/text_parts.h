// Splits text without streams, which would bring the C++ library's locales into the agent. Any thread.
#pragma once

#include <string_view>
#include <vector>

namespace hearth {

// Returns the parts of `text` between separators; a separator at the end begins no part. They refer to `text`.
std::vector<std::string_view> parts_of(std::string_view text, char separator);

// Returns the parts of `text` that white space separates, none of them empty. They refer to `text`.
std::vector<std::string_view> words_of(std::string_view text);

}  // namespace hearth
