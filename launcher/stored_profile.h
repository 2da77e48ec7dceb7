// Profiles that were written to a file before.
#pragma once

#include <string>

#include "profile/profile.h"

namespace hearth::launcher {

// Whatever its format, which is told by its content. "-" is standard input; DIR@FROM..TO what an always-on store has of
// that time, DIR all of it. Throws Error.
profile::Profile read_stored_profile(const std::string& path);

}  // namespace hearth::launcher
