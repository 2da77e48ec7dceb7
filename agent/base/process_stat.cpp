#include "base/process_stat.h"

#include "base/text_parts.h"

namespace hearth {

std::vector<std::string_view> stat_fields(std::string_view stat) {
  size_t name_end = stat.rfind(')');
  return name_end == std::string_view::npos ? std::vector<std::string_view>() : words_of(stat.substr(name_end + 1));
}

}  // namespace hearth
