// Number of samples of the shown value: one event of several may have few, however many there are in all.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "profile/model/profile.h"
#include "profile/model/quality.h"

namespace hearth::profile {

// Below this number small shares may be chance; the page has the same limit (html/model/text/quality.js).
inline constexpr uint64_t kFewSamples = 100;

// Number of samples with a weight in this value. Empty if the profile does not count samples: for objects, contentions,
// and profiles of other programs.
std::optional<uint64_t> samples_with(const Profile& profile, size_t value);

// Rows for people about the value that a text shows, the last one of `view`: its number of samples, and a warning if
// they are few. May be empty.
std::vector<QualityRow> shown_rows(const Profile& view);

}  // namespace hearth::profile
