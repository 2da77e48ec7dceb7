// What flat and traces share: the block at the top and the spelling of weights.
#pragma once

#include <string>

#include "profile/formats.h"
#include "profile/profile.h"

namespace hearth::profile {

inline constexpr int kDefaultRows = 200;  // of flat and traces

// "--- Execution profile ---", what was measured, how many samples, the quality line, walk failures, notes; ends with
// an empty line.
std::string report_header(const Profile& profile);

// "ns", "bytes", "count"…: the last value type's unit, as short as people write it.
std::string weight_unit(const Profile& profile);

// Of the whole, in percent; 0 when there is no whole.
double percent_of(int64_t part, int64_t whole);

}  // namespace hearth::profile
