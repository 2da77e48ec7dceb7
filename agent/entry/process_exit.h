// The exit of the process, in which no static object of this library is destroyed.
#pragma once

namespace hearth::entry {

// Calls `work` when the process exits, with null. False: there is no memory. The library must stay loaded.
bool on_process_exit(void (*work)(void*));

}  // namespace hearth::entry
