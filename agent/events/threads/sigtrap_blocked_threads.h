// Threads that must not meet a breakpoint: the kernel ends the process of a thread that meets one while it blocks
// SIGTRAP. Any thread, outside signals.
#pragma once

#include <cstdint>
#include <string>

namespace hearth::events {

// Returns a thread of this process that blocks SIGTRAP for longer than a moment, for messages: "thread 'NAME' (TID)";
// "" if there is none. Reads a file for each thread.
std::string thread_that_blocks_sigtrap();

// True if the mask of a thread (bit n - 1: signal n) contains SIGTRAP and was set by its program. False for masks that
// also block a signal which programs cannot block: the C library's own (pthread_create, posix_spawn), that of our
// SIGTRAP handler, and those of the kernel's io_uring threads.
bool blocks_sigtrap(uint64_t mask);

}  // namespace hearth::events
