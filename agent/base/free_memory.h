// A vector that is not needed any more before its time is over: neither clear() nor assigning {} frees its memory.
#pragma once

#include <vector>

namespace hearth {

template <typename Value>
void free_memory(std::vector<Value>* values) {
  std::vector<Value>().swap(*values);
}

}  // namespace hearth
