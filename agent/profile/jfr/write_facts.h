// Writes what a recording has in addition to samples: settings, the JVM, quality.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "profile/jfr/write_chunk.h"
#include "profile/model/profile.h"

namespace hearth::profile::jfr {

using Setting = std::pair<std::string, std::string>;

// The recording, its settings, and the JVM as far as the profile knows it.
void put_about(const Metadata& about, const std::vector<Setting>& settings, ChunkWriter* writer);
// The settings of an event, by its name in kEventKinds.
void put_interval(std::string_view event, int64_t interval, int64_t threshold, ChunkWriter* writer);
// The intervals and thresholds of the profile's events, as settings of their types.
void put_intervals(const Profile& profile, ChunkWriter* writer);
// One event for each figure, with its name among the lines of quality.h.
void put_quality(const Quality& quality, int64_t ticks, ChunkWriter* writer);

}  // namespace hearth::profile::jfr
