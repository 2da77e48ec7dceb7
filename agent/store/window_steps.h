// The steps of time of a profile that is merged from windows: windows follow each other in steps of their own length.
#pragma once

#include <cstdint>
#include <vector>

#include "profile/model/profile.h"
#include "store/window_files.h"

namespace hearth::store {

struct WindowSteps {
  int64_t begin_ns = 0;  // of the first step, not after the first window
  int64_t length_ns = 1;

  profile::TimeStep of(const StoredWindow& window) const;
};

// `windows` are in order of time, and at least one. Windows of the usual length have a step each, shorter ones share
// one; there are at most `most` steps.
WindowSteps steps_of(const std::vector<StoredWindow>& windows, int64_t most);

}  // namespace hearth::store
