// Notes on calls of methods that a session counted.
#pragma once

#include <string>
#include <vector>

#include "events/event_source.h"

namespace hearth::naming {

std::vector<std::string> call_notes(const std::vector<events::CallCounts>& counts, int64_t every);

}  // namespace hearth::naming
