// Reads a pprof profile's comments (pprof_extensions.h, quality.h).
#pragma once

#include <string_view>

#include "profile/model/profile.h"

namespace hearth::profile {

// Escapes texts for terminals; keeps comments of others unchanged.
void read_pprof_comment(std::string_view comment, Profile* profile);

}  // namespace hearth::profile
