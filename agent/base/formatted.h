// Text from a pattern, by fmt. Only one translation unit contains fmt's code: with the header-only library in each of
// them, a build took four times as long.
#pragma once

#include <fmt/core.h>

#include <cstdio>
#include <string>

namespace hearth {

std::string format_args(fmt::string_view pattern, fmt::format_args arguments);

// Returns the text of fmt::format. Throws std::bad_alloc only.
template <typename... Arguments>
std::string formatted(fmt::format_string<Arguments...> pattern, Arguments&&... arguments) {
  return format_args(pattern, fmt::make_format_args(arguments...));
}

// Writes the text of formatted() to a stream.
template <typename... Arguments>
void print(std::FILE* stream, fmt::format_string<Arguments...> pattern, Arguments&&... arguments) {
  std::fputs(format_args(pattern, fmt::make_format_args(arguments...)).c_str(), stream);
}

// Returns the words with `between` between them.
template <typename Words>
std::string joined(const Words& words, const char* between) {
  std::string text;
  for (const auto& word : words) {
    if (!text.empty()) text += between;
    text += word;
  }
  return text;
}

}  // namespace hearth
