// Variables of the environment that bring the library into JVMs and other programs. Call these while the JVM loads its
// agents, or before main(): no other thread reads the environment as early.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace hearth::entry {

// Restores JAVA_TOOL_OPTIONS, which may have loaded the agent: processes that this JVM starts must not inherit it.
void restore_java_tool_options();

// Sets HEARTH_FILE_SUFFIX, a part of the file's name, to "-PID" if another living JVM writes the same file.
void disambiguate_output_file();

struct PreloadedCommand {
  std::string text;
  bool is_asprof;  // in async-profiler's language
};

// Makes the JVM of this process load the library, which finds the command by take_preloaded_command(). Processes that
// the JVM starts inherit neither.
void preload_in_java(const std::string& library, const PreloadedCommand& command);

// Removes the command; none: the library was not preloaded.
std::optional<PreloadedCommand> take_preloaded_command();

// Returns the command; with "-%p" in the name of its file where another living process claimed that file.
std::string with_own_file(std::string_view command);

}  // namespace hearth::entry
