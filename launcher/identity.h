// Work done as the user of another process: the JVM answers only its own user, and only its own eyes tell what it may
// write.
#pragma once

#include <functional>
#include <string>

#include "process.h"

namespace hearth::launcher {

// Runs `work` in a child process that has the user and the groups of `process`, and returns what it returned; an
// exception of it is thrown here as an Error with the same text. The launcher's own rights stay as they are. Only a
// launcher that is root changes user.
std::string run_as(const Process& process, const std::function<std::string()>& work);

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
