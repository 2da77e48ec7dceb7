// Parts that flat and traces share: the header and the format of weights.
#pragma once

#include <string>

#include "profile/formats/formats.h"
#include "profile/model/profile.h"

namespace hearth::profile {

inline constexpr int kDefaultRows = 200;  // for flat and traces

// "--- Execution profile ---", the event, the number of samples, the quality line and its rows; ends with an empty
// line.
std::string report_header(const Profile& profile);

// "ns", "bytes", "count"…: the last value type's unit, abbreviated.
std::string weight_unit(const Profile& profile);

// Noun for the first value type: "sample", or "object" for allocations.
std::string counted_noun(const Profile& profile);

}  // namespace hearth::profile
