// include= and exclude=: selects the stacks of an output.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "profile/formats/formats.h"
#include "profile/model/profile.h"

namespace hearth::profile {

// `pattern` is a whole name; '*' at its start or end matches anything.
bool matches_pattern(std::string_view pattern, std::string_view name);

// For each node of the profile: whether to show the stack that ends there. It is shown if there is no include pattern
// or any frame matches one, and no frame matches an exclude pattern. Patterns are matched with the name and with the
// name as in text outputs.
std::vector<bool> shown_stacks(const Profile& profile, const WriteOptions& options);

}  // namespace hearth::profile
