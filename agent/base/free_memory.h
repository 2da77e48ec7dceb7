// Frees the memory of a vector before its scope ends: neither clear() nor assigning {} frees it.
#pragma once

#include <vector>

namespace hearth {

template <typename Value>
void free_memory(std::vector<Value>* values) {
  std::vector<Value>().swap(*values);
}

}  // namespace hearth
