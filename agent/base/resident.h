// How much of reserved memory is really taken.
#pragma once

#include <cstdint>

#include "base/owned.h"

namespace hearth {

// Bytes of the pages that are in memory now; 0 where that cannot be told. Not signal safe.
int64_t resident_bytes(const Mapping& mapping);

}  // namespace hearth
