// minwidth: drops frames that are too narrow to be seen, which make a page large.
#pragma once

#include "profile/formats/formats.h"
#include "profile/model/profile.h"

namespace hearth::profile {

// The same profile with the frames below options.minwidth percent of the total (of value type `lens`), after merging by
// text, replaced by one marker frame [below minwidth] per caller, so that sums stay correct. Applies include and
// exclude.
Profile without_narrow_nodes(const Profile& profile, const WriteOptions& options, size_t lens);

}  // namespace hearth::profile
