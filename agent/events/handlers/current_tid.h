// The kernel's id of the calling thread. Signal safe; a system call for the first question of a thread only.
#pragma once

namespace hearth::events {

int current_tid();

// Whether the calling thread is hearth's own, of which nobody takes samples.
bool is_own_thread();
void mark_own_thread(bool is_own);

}  // namespace hearth::events
