// Windows whose hour is over are merged to one file of it, hours whose day is over to one of that: a long range is then
// read from few files. What was merged stays beside it for as long as there is room.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

#include "profile/model/profile.h"
#include "store/window_files.h"

namespace hearth::store {

using PutFile = std::function<void(const std::string& path, const std::string& content)>;

// Makes at most one file; call again while it says that it did. `now_ns`: an hour that this is in is not over. Windows
// that come later for an hour which was merged (the clock was set back) have it merged again. Nothing is made once
// `is_to_end`. `put` writes a file. Throws what that throws.
bool merge_one_span(const std::string& store, int64_t now_ns, const std::atomic<bool>& is_to_end, const PutFile& put);

// A window of an hour (a day) of which the merged file is left alone, as it comes late: the clock was set back. It
// becomes a part of that file, whose name is returned; "" where there is no such file. Throws what `put` throws.
std::string add_late(const std::string& store, const profile::Profile& window, const PutFile& put);

}  // namespace hearth::store
