// Notes on calls of methods and on exceptions that a session counted.
#pragma once

#include <string>
#include <vector>

#include "events/event_source.h"

namespace hearth::naming {

std::vector<std::string> call_notes(const std::vector<events::CallCounts>& counts, int64_t every);
std::string exception_note(const events::MadeExceptions& made);

}  // namespace hearth::naming
