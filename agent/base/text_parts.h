// Splits text without streams, which would bring the C++ library's locales into the agent. Any thread.
#pragma once

#include <string_view>
#include <vector>

namespace hearth {

// Returns the parts of `text` between separators; a separator at the end begins no part. They refer to `text`.
std::vector<std::string_view> parts_of(std::string_view text, char separator);

}  // namespace hearth
