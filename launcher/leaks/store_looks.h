// Looks at live memory that windows of an always-on store have.
#pragma once

#include "launcher/commands/leaks_command.h"
#include "store/window_reader.h"

namespace hearth::launcher {

// At equal distances, in the last run of the program that the range has: live memory of different runs is not compared.
// Throws Error where the range has none.
void look_at_store(const store::StoreRange& range, Leaks* leaks);

}  // namespace hearth::launcher
