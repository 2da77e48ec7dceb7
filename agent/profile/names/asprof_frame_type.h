// Kinds of frames by the numbers of async-profiler, whose converter knows them in recordings and in pages.
#pragma once

#include <cstdint>

#include "profile/model/profile.h"

namespace hearth::profile {

enum class AsprofFrameType : uint8_t { kInterpreted, kJit, kInlined, kNative, kCpp, kKernel, kC1 };

AsprofFrameType asprof_frame_type(FrameKind kind);

}  // namespace hearth::profile
