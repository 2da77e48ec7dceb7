// The kernel's id of the calling thread. Signal safe; a system call only on a thread's first call.
#pragma once

namespace hearth::events {

int current_tid();

// True on hearth's own threads, which are not sampled.
bool is_own_thread();
void mark_own_thread(bool is_own);

}  // namespace hearth::events
