// How a process that listens shows where: by an empty memory file of its own, which /proc/PID/fd lists by name. There
// is nothing to clean up, and only who may look into the process sees it.
#pragma once

#include <string>
#include <string_view>

#include "base/owned.h"

namespace hearth {

// Shown as long as the descriptor is open. Empty where the kernel refuses.
UniqueFd show_address(const std::string& address);

// The address in what a link of /proc/PID/fd points at; empty when it is another file. Any process can make such a file
// with any text.
std::string_view shown_address(std::string_view link);

}  // namespace hearth
