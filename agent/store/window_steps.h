// The time steps of a profile that is merged from windows: each step has the length of a window.
#pragma once

#include <cstdint>
#include <vector>

#include "profile/model/profile.h"
#include "store/window_files.h"

namespace hearth::store {

struct WindowSteps {
  int64_t begin_ns = 0;  // of the first step, at or before the first window
  int64_t length_ns = 1;

  profile::TimeStep of(const StoredWindow& window) const;
};

// `windows` are in order of time, at least one. Each window of the usual length has a step, shorter ones share one; at
// most `most` steps.
WindowSteps steps_of(const std::vector<StoredWindow>& windows, int64_t most);

}  // namespace hearth::store
