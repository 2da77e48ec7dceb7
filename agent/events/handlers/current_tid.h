// What is known about the calling thread, in a few bytes: space for variables of threads is scarce. Signal safe.
#pragma once

namespace hearth::events {

// The kernel's id; a system call only on a thread's first call.
int current_tid();

// True on hearth's own threads, which are not sampled.
bool is_own_thread();
void mark_own_thread(bool is_own);

// True while a hook looks up a host: the real function calls others that have hooks.
bool looks_up_host();
void mark_host_lookup(bool looks_up);

}  // namespace hearth::events
