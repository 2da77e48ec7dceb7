// include= and exclude=: which stacks an output shows.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "profile/formats/formats.h"
#include "profile/model/profile.h"

namespace hearth::profile {

// `pattern` is a whole name; '*' at its start or end stands for anything.
bool matches_pattern(std::string_view pattern, std::string_view name);

// For each node of the profile: whether the stack that ends there is to be shown. Kept when no include pattern is given
// or any frame matches one, and no frame matches an exclude pattern. Patterns are held against the name and against the
// name as text outputs spell it.
std::vector<bool> shown_stacks(const Profile& profile, const WriteOptions& options);

}  // namespace hearth::profile
