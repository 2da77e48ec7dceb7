// What the command line of a `java` says: its options for the JVM, and what it runs.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hearth::launcher {

struct JavaCommand {
  std::string main;  // main class, jar file without its folders, module or source file; empty when not told
  std::vector<std::string> options;  // those before `main`
};

// `arguments` is argv, the program's own name first. A program that is not called java runs what it is called.
JavaCommand parse_java_command(const std::vector<std::string>& arguments);

// What the last -XX:+NAME or -XX:-NAME among `options` says, if any does.
std::optional<bool> flag_value(const std::vector<std::string>& options, std::string_view name);

// The options of JAVA_TOOL_OPTIONS, JDK_JAVA_OPTIONS, the command line and _JAVA_OPTIONS, in the order in which a JVM
// reads them; `environment` is a list of NAME=VALUE.
std::vector<std::string> jvm_options(const JavaCommand& command, const std::vector<std::string>& environment);

}  // namespace hearth::launcher
