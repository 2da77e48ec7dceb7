// Threads that must not meet a breakpoint: the kernel ends a process of which a thread meets one while it blocks
// SIGTRAP. Any thread, outside signals.
#pragma once

#include <cstdint>
#include <string>

namespace hearth::events {

// Of this process, one that blocks SIGTRAP for longer than a moment, for messages: "thread 'NAME' (TID)"; "" when none
// does. Reads a file a thread.
std::string thread_that_blocks_traps();

// Whether a thread's mask (bit n - 1: signal n) is one that its program gave it and SIGTRAP is in it. The C library's
// own moments with all blocked (pthread_create, posix_spawn), our handler of SIGTRAP and the kernel's threads for
// io_uring are told by a signal that no program can block.
bool blocks_traps(uint64_t mask);

}  // namespace hearth::events
