// Profiles that were written to a file before.
#pragma once

#include <string>

#include "profile/profile.h"

namespace hearth::launcher {

// Whatever its format, which is told by its content. "-" is standard input. Throws Error.
profile::Profile read_stored_profile(const std::string& path);

}  // namespace hearth::launcher
