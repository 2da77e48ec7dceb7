#include "options/option_text.h"

#include <algorithm>

namespace hearth::options {
namespace {

constexpr char kEscape = '\\', kSeparator = ',';

size_t escapes_at_start(std::string_view text) {
  return std::min(text.find_first_not_of(kEscape), text.size());
}

bool ends_value(std::string_view text) {
  return text.empty() || text.front() == kSeparator;
}

}  // namespace

std::vector<std::string> option_words(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  auto finish_word = [&] {
    if (!word.empty()) words.push_back(std::move(word));
    word.clear();
  };
  while (!text.empty()) {
    size_t escapes = escapes_at_start(text);
    text.remove_prefix(escapes);
    bool is_odd = escapes % 2 == 1;
    word.append(ends_value(text) ? escapes / 2 : escapes, kEscape);
    if (text.empty()) {
      if (is_odd) word += kEscape;
      break;
    }
    if (text.front() == kSeparator && !is_odd)
      finish_word();
    else
      word += text.front();
    text.remove_prefix(1);
  }
  finish_word();
  return words;
}

std::string escaped_value(std::string_view value) {
  std::string text;
  while (!value.empty()) {
    size_t escapes = escapes_at_start(value);
    value.remove_prefix(escapes);
    text.append(ends_value(value) ? 2 * escapes : escapes, kEscape);
    if (value.empty()) break;
    if (value.front() == kSeparator) text += kEscape;
    text += value.front();
    value.remove_prefix(1);
  }
  return text;
}

}  // namespace hearth::options
