// The files of a process that may live in another mount namespace (a container) or under another root.
#pragma once

#include <string>

#include "base/owned.h"
#include "process.h"

namespace hearth::launcher {

// True when a path means the same file to the process as to the launcher.
bool shares_files(const Process& process);

// Opens the absolute `path` as the process sees it. In another namespace symbolic links are followed inside its root
// only, so that a hostile container cannot lead a launcher that runs as root to the host's files. Empty with errno set
// when it fails.
UniqueFd open_in(const Process& process, const std::string& path, int flags);

// The whole regular file at `path` as the process sees it; empty when it cannot be read.
std::string read_file_in(const Process& process, const std::string& path);

}  // namespace hearth::launcher
