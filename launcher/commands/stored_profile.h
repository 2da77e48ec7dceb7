// Profiles that were written to a file before.
#pragma once

#include <string>
#include <vector>

#include "profile/model/label_choice.h"
#include "profile/model/profile.h"

namespace hearth::launcher {

// Reads a profile of any format, recognised by its content. "-" is standard input; DIR@FROM..TO a time range of an
// always-on store, DIR the whole store. With `labels` or `by` of spans of traces, reads the files that have them.
// Throws Error.
profile::Profile read_stored_profile(const std::string& path, const std::vector<profile::LabelChoice>& labels = {},
                                     const std::string& by = "");

}  // namespace hearth::launcher
