// A note on time that the machine withheld from the program.
#pragma once

#include <string>

#include "events/threads/withheld_time.h"

namespace hearth::naming {

// `withheld`: of a session that took `duration_ns`. "": less than 1 % of it was withheld.
std::string withheld_note(const events::WithheldSums& withheld, int64_t duration_ns);

}  // namespace hearth::naming
