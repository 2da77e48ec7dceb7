// Names a site by the frames of its stack, for different processes that read the same profile.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "profile/model/profile.h"

namespace hearth::profile {

// Names of a stack's frames, outermost first.
std::vector<std::string> frames_of(const Profile& profile, NodeId stack);

// A number of the frames, alike in all processes (FNV-1a).
uint64_t stack_key(const std::vector<std::string>& frames);

}  // namespace hearth::profile
