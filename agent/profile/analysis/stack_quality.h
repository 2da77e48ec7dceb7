// The quality of a profile whose file has no account of it: what the stacks themselves tell.
#pragma once

#include <string_view>

#include "profile/model/profile.h"

namespace hearth::profile {

// Counts bracketed frames (lost, truncated, walk failures) and code without symbols in the first value type. Whole
// stacks and costs cannot be told and stay 0, as does the engine.
Quality quality_of_stacks(const Profile& profile);

// Whether a bracketed frame with this word stands for a walk that failed.
bool is_failure_word(std::string_view word);

}  // namespace hearth::profile
