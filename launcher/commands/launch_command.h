// `hearth launch`: a program that is profiled from the first instruction of its JVM.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace hearth::launcher {

struct LaunchRequest {
  std::vector<std::string> command;  // the program and its arguments
  std::string file;                  // as typed, or the default
  std::vector<std::string> options;  // for the agent, without the file
  std::string libpath;
  bool children = false;  // also the JVMs that a profiled JVM starts
};

// A program as execve takes it.
struct Launch {
  std::vector<std::string> command;
  std::map<std::string, std::string> environment;  // added to the existing one
};

// One word of JAVA_TOOL_OPTIONS, which the JVM splits at blanks outside of quotes.
std::string quoted_for_jvm(std::string_view word);

// The program to start for `request`, with the agent at `library` and the file at the absolute path `file`. A `java`
// gets the agent as its first option; a script passes it on by JAVA_TOOL_OPTIONS, after the options in `tool_options`.
// Throws Error if the agent is among the options already, or if its path cannot be passed to a JVM.
Launch plan_launch(const LaunchRequest& request, const std::string& library, const std::string& file,
                   const std::string& tool_options);

// 7 for "1.7.0_80", 17 for "17.0.2"; 0 if it is not a version.
int major_version(std::string_view version);

// Replaces this process by the program: signals reach it, and its exit status is its own. Throws Error if it cannot be
// started.
[[noreturn]] void run_launch_command(const LaunchRequest& request);

}  // namespace hearth::launcher
