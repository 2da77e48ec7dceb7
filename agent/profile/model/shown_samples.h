// How many samples the value that is shown has: of several events one may have few, however many there are in all.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "profile/model/profile.h"
#include "profile/model/quality.h"

namespace hearth::profile {

// Below it small shares may be chance; the page draws the same line (html/model/text/quality.js).
inline constexpr uint64_t kFewSamples = 100;

// Of the samples those that have a weight in this value. None where the profile does not count samples: of objects,
// of contentions, and in what others wrote.
std::optional<uint64_t> samples_with(const Profile& profile, size_t value);

// Rows for people about the value that a text shows, the last one of `view`: how many of the samples are of it, and
// whether they are few. Empty where nothing is to be said.
std::vector<QualityRow> shown_rows(const Profile& view);

}  // namespace hearth::profile
