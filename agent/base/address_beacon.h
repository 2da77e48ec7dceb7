// Publishes the address that this process listens at: as the name of an empty memory file (memfd_create(2)), which
// /proc/PID/fd lists. It needs no cleanup, and only users that may inspect the process see it.
#pragma once

#include <string>
#include <string_view>

#include "base/owned.h"

namespace hearth {

// Advertises the address as long as the descriptor is open. Empty where the kernel refuses.
UniqueFd advertise_address(const std::string& address);

// Returns the address that a link of /proc/PID/fd advertises; empty if the link is to another file. Untrusted: any
// process can make such a file with any text.
std::string_view advertised_address(std::string_view link);

}  // namespace hearth
