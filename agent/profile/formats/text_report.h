// What flat and traces share: the block at the top and the spelling of weights.
#pragma once

#include <string>

#include "profile/formats/formats.h"
#include "profile/model/profile.h"

namespace hearth::profile {

inline constexpr int kDefaultRows = 200;  // of flat and traces

// "--- Execution profile ---", what was measured, how many samples, the quality line and its rows; ends with an empty
// line.
std::string report_header(const Profile& profile);

// "ns", "bytes", "count"…: the last value type's unit, as short as people write it.
std::string weight_unit(const Profile& profile);

// What the first value type counts: "sample", or "object" of allocations.
std::string counted_noun(const Profile& profile);

}  // namespace hearth::profile
