// The call tree in the form of async-profiler's flame graph pages, which its converter reads.
#pragma once

#include <string>

#include "profile/formats/formats.h"
#include "profile/model/profile.h"

namespace hearth::profile {

// Text for the end of a page: a block that browsers do not execute, with the names of frames and a line for each node.
std::string asprof_frames(const Profile& stored, const WriteOptions& options);

}  // namespace hearth::profile
