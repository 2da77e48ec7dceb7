// Copies this launcher and the agent into a directory, such as the volume of a pod.
#pragma once

#include <string>
#include <variant>
#include <vector>

namespace hearth::launcher {

struct CopyRequest {
  std::string directory;  // created if it does not exist
};

// The help text, if requested. Throws UsageError.
std::variant<std::string, CopyRequest> parse_copy_line(const std::vector<std::string>& arguments);

// Writes bin/hearth and lib/libhearth.so below the directory, executable and readable for everybody. Throws Error.
void run_copy_command(const CopyRequest& request);

}  // namespace hearth::launcher
