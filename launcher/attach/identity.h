// Runs work as the user of another process: the JVM replies only to its own user, and only that user's rights show
// which files it may write.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "launcher/attach/process.h"

namespace hearth::launcher {

// For reading and looking up files: a file system of the process's user may never respond.
inline constexpr std::chrono::milliseconds kFilePatience{10'000};

// Runs `work` in a child process with the user and groups of `process` and returns its result. An exception of `work`
// is thrown here as an Error with the same text. The launcher's own rights stay unchanged; only a launcher that is root
// changes the user. The child has limited memory and ends after `patience`. Throws Error in that case, and if a signal
// that Interrupts hold back ended the child.
std::string run_as(const Process& process, const std::function<std::string()>& work,
                   std::chrono::milliseconds patience = kFilePatience);

// During its life, files are looked up and created as the user and group of `process`. Only a launcher that is root
// changes anything.
class FileIdentity {
 public:
  explicit FileIdentity(const Process& process);
  FileIdentity(const FileIdentity&) = delete;
  FileIdentity& operator=(const FileIdentity&) = delete;
  ~FileIdentity();
};

}  // namespace hearth::launcher
