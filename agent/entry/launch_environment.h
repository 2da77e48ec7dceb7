// What `hearth launch` leaves in the environment for the JVMs that a script starts. To be called while the JVM loads
// its agents: no other thread looks at the environment as early.
#pragma once

namespace hearth::entry {

// JAVA_TOOL_OPTIONS, by which the agent may have come, as they were before: what this JVM starts is not to inherit it.
void put_tool_options_back();

// Where another living JVM is to write the same file, HEARTH_SECOND, which is in its name, becomes "-PID".
void tell_files_apart();

}  // namespace hearth::entry
