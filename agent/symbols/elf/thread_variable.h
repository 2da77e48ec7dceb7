// Finds thread-local variables of loaded libraries by name. Outside signals only; any thread.
#pragma once

#include <optional>

#include "capture/labels/foreign_context.h"

namespace hearth::symbols {

// The place of the first variable with this name that a library other than this one, or the program, exports. Starts a
// thread if there is one. Empty if there is none, or its place is not known.
std::optional<capture::ThreadVariable> find_thread_variable(const char* name);

}  // namespace hearth::symbols
