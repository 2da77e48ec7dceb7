// The kernel's id of the calling thread. Signal safe; a system call for the first question of a thread only.
#pragma once

namespace hearth::events {

int current_tid();

}  // namespace hearth::events
