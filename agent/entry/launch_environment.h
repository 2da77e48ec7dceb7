// Variables of the environment that bring the library into JVMs and other programs. Call these while the JVM loads its
// agents, or before main(): no other thread reads the environment as early.
#pragma once

#include <string>
#include <string_view>

namespace hearth::entry {

// Restores JAVA_TOOL_OPTIONS, which may have loaded the agent: processes that this JVM starts must not inherit it.
void restore_java_tool_options();

// Sets HEARTH_FILE_SUFFIX, a part of the file's name, to "-PID" if another living JVM writes the same file.
void disambiguate_output_file();

// Adds an option for the JVM that this process makes. restore_java_tool_options() removes it there, so that children
// of the JVM do not have it.
void add_java_tool_option(const std::string& option);

// Returns the command; with "-%p" in the name of its file where another living process claimed that file.
std::string with_own_file(std::string_view command);

}  // namespace hearth::entry
