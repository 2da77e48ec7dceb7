// Work done as the user of another process: the JVM answers only its own user, and only its own eyes tell what it may
// write.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "launcher/attach/process.h"

namespace hearth::launcher {

// Reading and looking up files: a file system of the process's user may never answer.
inline constexpr std::chrono::milliseconds kFilePatience{10'000};

// Runs `work` in a child process that has the user and the groups of `process`, and returns its result; an exception of
// it is thrown here as an Error with the same text. The launcher's own rights stay as they are. Only a launcher that is
// root changes user. The child has bounded memory and ends after `patience`; then, and when a signal that Interrupts
// hold back ended it, Error is thrown.
std::string run_as(const Process& process, const std::function<std::string()>& work,
                   std::chrono::milliseconds patience = kFilePatience);

// While it lives, files are reached and made as the user and group of `process`. Only a launcher that is root changes
// anything.
class FileIdentity {
 public:
  explicit FileIdentity(const Process& process);
  FileIdentity(const FileIdentity&) = delete;
  FileIdentity& operator=(const FileIdentity&) = delete;
  ~FileIdentity();
};

}  // namespace hearth::launcher
