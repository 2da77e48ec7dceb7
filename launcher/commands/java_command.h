// The command line of a `java`: its options for the JVM, and its main class or file.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hearth::launcher {

struct JavaCommand {
  std::string main;  // main class, jar file without its folders, module or source file; empty if missing
  std::vector<std::string> options;  // those before `main`
};

// `arguments` is argv, including the program's name. For a program that is not called java, `main` is that name.
JavaCommand parse_java_command(const std::vector<std::string>& arguments);

// The value of the last -XX:+NAME or -XX:-NAME among `options`; empty if there is none.
std::optional<bool> flag_value(const std::vector<std::string>& options, std::string_view name);

// The options of JAVA_TOOL_OPTIONS, JDK_JAVA_OPTIONS, the command line and _JAVA_OPTIONS, in the order in which a JVM
// reads them; `environment` is a list of NAME=VALUE.
std::vector<std::string> jvm_options(const JavaCommand& command, const std::vector<std::string>& environment);

}  // namespace hearth::launcher
