// Memory as the system counts it: the resident part of a mapping, and the memory that malloc keeps.
#pragma once

#include <cstdint>

#include "base/owned.h"

namespace hearth {

// Returns the bytes of the pages that are in memory now; 0 if unknown. Not signal safe.
int64_t resident_bytes(const Mapping& mapping);

// Returns freed memory to the system where the C library keeps it: malloc_trim(3), which musl lacks and does not need.
// Holds malloc's locks meanwhile. Not signal safe.
void return_freed_memory();

}  // namespace hearth
