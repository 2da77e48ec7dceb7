// Hooks in the place of functions of other libraries, for events that need them.
#pragma once

#include <memory>
#include <vector>

#include "events/event_source.h"

namespace hearth::session {

// Finds the functions, and replaces none.
std::unique_ptr<events::ImportPatcher> make_import_patcher(const std::vector<events::ImportPatcher::Hook>& hooks);

}  // namespace hearth::session
