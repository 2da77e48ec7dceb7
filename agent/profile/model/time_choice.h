// Selects samples by their time.
#pragma once

#include <cstdint>

#include "profile/model/profile.h"

namespace hearth::profile {

// Nanoseconds since 1970; `to_ns` itself is not part of it.
struct TimeChoice {
  int64_t from_ns = INT64_MIN;
  int64_t to_ns = INT64_MAX;

  bool has(int64_t moment_ns) const { return moment_ns >= from_ns && moment_ns < to_ns; }
};

// The samples of the time steps that begin in this range; quality is that of the whole profile. Throws FormatError if
// the profile has no times.
Profile only_between(const Profile& profile, const TimeChoice& range);

}  // namespace hearth::profile
