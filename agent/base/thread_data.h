// Whether the library's thread_local variables can be used in signal handlers.
#pragma once

namespace hearth {

// True where no first access of a thread allocates: with the model initial-exec, under musl, and where glibc put them
// into its reserve of static thread-local data. False where that reserve is used up by other libraries: glibc would
// call malloc at the first access of each thread (elf/dl-tls.c, tls_get_addr_tail). Starts a thread at its first call,
// and throws Error where none can be made. No signal handler.
bool is_thread_data_ready();

}  // namespace hearth
