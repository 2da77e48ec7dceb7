// Profiles that were written to a file before.
#pragma once

#include <string>
#include <vector>

#include "profile/model/label_choice.h"
#include "profile/model/profile.h"

namespace hearth::launcher {

// Whatever its format, which is told by its content. "-" is standard input; DIR@FROM..TO what an always-on store has of
// that time, DIR all of it, and more of it where `labels` or `by` ask for spans of traces. Throws Error.
profile::Profile read_stored_profile(const std::string& path, const std::vector<profile::LabelChoice>& labels = {},
                                     const std::string& by = "");

}  // namespace hearth::launcher
