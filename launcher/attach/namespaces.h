// The files of a process that may live in another mount namespace (a container) or under another root.
#pragma once

#include <string>

#include "base/owned.h"
#include "launcher/attach/process.h"

namespace hearth::launcher {

// True when a path means the same file to the process as to the launcher.
bool shares_files(const Process& process);

// Opens the absolute `path` as the process sees it. In another namespace symbolic links are followed inside its root
// only, so that a hostile container cannot lead a launcher that runs as root to the host's files. On failure returns
// empty with errno set.
UniqueFd open_in(const Process& process, const std::string& path, int flags);

// The root directory of the process, for read_below(); empty with errno set when it fails.
UniqueFd root_of(const Process& process);

// The regular file at `path` below `root`, at most `most` bytes; empty if it cannot be read. The process chose both the
// path and the file: call this in run_as(), with the rights of its user only. Opens only regular files, and follows no
// link in the last part of the path.
std::string read_below(int root, const std::string& path, size_t most);

// A descriptor for reading the file that `place` (O_PATH) refers to; empty unless it is a regular file. Opening a
// device or a pipe can have effects.
UniqueFd opened_if_regular(const UniqueFd& place);

}  // namespace hearth::launcher
