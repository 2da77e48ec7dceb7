// The quality of a profile without quality data in its file, derived from its stacks.
#pragma once

#include <string_view>

#include "profile/model/profile.h"

namespace hearth::profile {

// Counts bracketed frames (lost, truncated, walk failures) and code without symbols in the first value type. The number
// of whole stacks and the costs are unknown and stay 0, and so does the engine.
Quality quality_of_stacks(const Profile& profile);

// Whether a bracketed frame with this word represents a failed walk.
bool is_failure_word(std::string_view word);

}  // namespace hearth::profile
