// minwidth: frames too narrow to be looked at make a page large.
#pragma once

#include "profile/formats/formats.h"
#include "profile/model/profile.h"

namespace hearth::profile {

// The same profile with the frames below options.minwidth percent of the total (of value type `lens`), as they are
// read, merged into one marker frame [below minwidth] a caller, so that sums stay right. Applies include and exclude.
Profile without_small_nodes(const Profile& profile, const WriteOptions& options, size_t lens);

}  // namespace hearth::profile
