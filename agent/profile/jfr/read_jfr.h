// Reads recordings of Java Flight Recorder: of JDK 8u262 to 27, async-profiler, OpenJ9 and GraalVM native image.
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>

#include "profile/model/profile.h"
#include "profile/model/time_choice.h"

namespace hearth::profile {

namespace jfr {

// Whether it begins as a recording.
bool is_recording(std::string_view bytes);

// From the first chunk's start to the last one's end. Throws FormatError.
TimeChoice recorded_time(std::string_view recording);

// One profile of all events with stacks, each kind as an event of its own: cpu, wall, alloc, lock, live, park,
// exceptions, file_read … Chunks that are damaged are left out, and named in the notes. `release(begin, end)` is called
// for bytes that are not read any more. Throws FormatError if no chunk can be read.
Profile read(std::string_view recording, const TimeChoice& range = {},
             const std::function<void(size_t begin, size_t end)>& release = {});

}  // namespace jfr
}  // namespace hearth::profile
