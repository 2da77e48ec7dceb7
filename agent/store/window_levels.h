// Merges the windows of a past hour to one file, and the hours of a past day: a long range is then read from few files.
// The merged files' parts stay as long as there is space.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

#include "profile/model/profile.h"
#include "store/window_files.h"

namespace hearth::store {

using PutFile = std::function<void(const std::string& path, const std::string& content)>;

// Writes at most one file; call again while it returns true. `now_ns`: the hour that contains it is not over. If
// windows come later for a merged hour (the clock was set back), it is merged again. Writes nothing once `is_to_end`.
// `put` writes a file. Throws the exceptions of `put`.
bool merge_one_span(const std::string& store, int64_t now_ns, const std::atomic<bool>& is_to_end, const PutFile& put);

// Adds a late window (the clock was set back) to the merged file of its hour (day) if that file's parts are gone.
// Returns the file's name; "" if there is no such file. Throws the exceptions of `put`.
std::string add_late(const std::string& store, const profile::Profile& window, const PutFile& put);

}  // namespace hearth::store
