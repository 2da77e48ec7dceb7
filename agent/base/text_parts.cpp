#include "base/text_parts.h"

namespace hearth {

std::vector<std::string_view> parts_of(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    size_t length = text.find(separator);
    parts.push_back(text.substr(0, length));
    text.remove_prefix(length == std::string_view::npos ? text.size() : length + 1);
  }
  return parts;
}

}  // namespace hearth
