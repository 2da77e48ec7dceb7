// Notes on time that the machine withheld from the program.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "events/threads/withheld_time.h"

namespace hearth::naming {

// `withheld`: of a session that took `duration_ns`. None for less than 1 % of it.
std::vector<std::string> withheld_notes(const events::Withheld& withheld, int64_t duration_ns);

}  // namespace hearth::naming
