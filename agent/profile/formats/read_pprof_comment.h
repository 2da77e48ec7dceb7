// What a pprof profile's comments tell (pprof_marks.h, quality.h).
#pragma once

#include <string_view>

#include "profile/model/profile.h"

namespace hearth::profile {

// Texts become what a terminal may print; a comment of somebody else's stays as it is.
void read_pprof_comment(std::string_view comment, Profile* profile);

}  // namespace hearth::profile
