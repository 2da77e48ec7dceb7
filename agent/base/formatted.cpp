#define FMT_HEADER_ONLY
#include <fmt/format.h>

#include "base/formatted.h"

namespace hearth {

std::string format_args(fmt::string_view pattern, fmt::format_args arguments) {
  return fmt::vformat(pattern, arguments);
}

}  // namespace hearth
