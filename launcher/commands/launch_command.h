// `hearth launch`: a program that is profiled from the first instruction of its JVM.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace hearth::launcher {

struct LaunchRequest {
  std::vector<std::string> command;  // the program and its arguments
  std::string file;                  // as typed, or what stands for it
  std::vector<std::string> options;  // for the agent, but for the file
  std::string libpath;
  bool children = false;  // also the JVMs that a profiled JVM starts
};

// A program as execve takes it.
struct Launch {
  std::vector<std::string> command;
  std::map<std::string, std::string> environment;  // to be set beside what there is
};

// One word of JAVA_TOOL_OPTIONS, which the JVM parts at blanks and in which quotes hold them together.
std::string quoted_for_jvm(std::string_view word);

// How `request` is started where the agent is at `library` and the file at the absolute `file`. A `java` gets the agent
// as its first option; what a script starts gets it by JAVA_TOOL_OPTIONS, behind those of `tool_options`. Throws Error
// where the agent is among the options already, or its path cannot be told to a JVM.
Launch plan_launch(const LaunchRequest& request, const std::string& library, const std::string& file,
                   const std::string& tool_options);

// 7 for "1.7.0_80", 17 for "17.0.2"; 0 for what is no version.
int major_version(std::string_view version);

// Becomes the program: signals reach it and its exit status is its own. Throws Error when it cannot be started.
[[noreturn]] void run_launch_command(const LaunchRequest& request);

}  // namespace hearth::launcher
