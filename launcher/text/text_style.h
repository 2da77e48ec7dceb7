// Spelling and width of texts for people.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace hearth::launcher {

struct TextStyle {
  size_t width = 100;        // columns to fill
  bool on_terminal = false;  // long names are cut to the width, headings are bold
};

TextStyle style_of_stdout();

// "2026-03-14 15:09:26", "" for an invalid time.
std::string local_time(int64_t unix_ns);

// Name of the measured quantity: pprof's names of values are not words.
std::string_view word_of_value(std::string_view value_type);

}  // namespace hearth::launcher
