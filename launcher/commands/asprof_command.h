// The launcher under the name asprof: async-profiler's command line, its defaults and its messages.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace hearth::launcher {

struct AsprofRequest {
  std::string action = "collect";
  std::string target;                          // pid, part of a name, or "jps" for the JVM that began last
  std::chrono::milliseconds duration{60'000};  // of collect
  std::string file;                            // as typed; "": standard output
  std::string output;                          // the format in the agent's words; "": by the file's name, else text
  std::vector<std::string> capture;            // the agent's words for the start
  std::vector<std::string> style;              // the agent's words for each command
  std::string libpath;
};

// A command of the JVM's own, sent to its attach listener.
struct JvmCommandRequest {
  std::string target;
  std::vector<std::string> words;  // the command and its arguments: jcmd VM.version
};

// The agent's text of `action`. `file` is absolute, or "" for none.
std::string asprof_options(const std::string& action, const AsprofRequest& request, const std::string& file);

// Executes the request; messages go to standard error, results to standard output or the file. Throws Error.
void run_asprof_command(const AsprofRequest& request);
void run_jvm_command(const JvmCommandRequest& request);

}  // namespace hearth::launcher
