// Mapping symbols of aarch64, which mark where code and data begin within a section: $x, $d, $x.text (ELF for the Arm
// 64-bit Architecture). They name no function.
#pragma once

#include <string_view>

namespace hearth::symbols {

inline bool is_mapping_symbol(std::string_view name) {
  if (name.size() < 2 || name[0] != '$' || (name[1] != 'x' && name[1] != 'd')) return false;
  return name.size() == 2 || name[2] == '.';
}

}  // namespace hearth::symbols
