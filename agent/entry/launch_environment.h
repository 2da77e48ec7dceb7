// Reads the variables that `hearth launch` leaves for the JVMs that a script starts. Call these while the JVM loads its
// agents: no other thread reads the environment as early.
#pragma once

namespace hearth::entry {

// Restores JAVA_TOOL_OPTIONS, which may have loaded the agent: processes that this JVM starts must not inherit it.
void restore_java_tool_options();

// Sets HEARTH_FILE_SUFFIX, a part of the file's name, to "-PID" if another living JVM writes the same file.
void disambiguate_output_file();

}  // namespace hearth::entry
