// Native memory that the JVM takes for its own heap: it grows and shrinks with the objects in it, and is no leak.
#pragma once

#include <string>
#include <vector>

namespace hearth::launcher {

// `frames`: of a native allocation, outermost first.
bool is_jvm_heap(const std::vector<std::string>& frames);

}  // namespace hearth::launcher
