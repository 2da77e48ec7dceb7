// The resident part of a reserved mapping.
#pragma once

#include <cstdint>

#include "base/owned.h"

namespace hearth {

// Returns the bytes of the pages that are in memory now; 0 if unknown. Not signal safe.
int64_t resident_bytes(const Mapping& mapping);

}  // namespace hearth
