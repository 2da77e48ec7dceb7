// The destination of the profile: standard output, a file that the JVM writes itself, or one that the launcher writes
// for a JVM with other files, as in a container.
#pragma once

#include <sys/stat.h>

#include <functional>
#include <string>
#include <string_view>

#include "launcher/attach/jvm.h"

namespace hearth::launcher {

class OutputFile {
 public:
  // `typed` is the value of -f, empty or "-" for standard output. Throws Error at once if the writer of the file cannot
  // write it: a mistyped folder or a full disk must not cost a profile of a minute.
  OutputFile(const Jvm& jvm, const std::string& typed);

  bool to_stdout() const { return path_.empty(); }
  // The absolute path for the agent's file=; empty if the agent has to hand the profile over instead.
  std::string agent_path() const { return written_by_agent_ ? path_ : std::string(); }
  const std::string& path() const { return path_; }

  // The reason why agent_path() is empty although there is a path.
  const char* why_not_by_agent() const;

  // Writes a profile that the agent handed over in pieces; an empty piece ends it. Throws Error.
  void write(const std::function<std::string_view()>& next) const;

  // True if the file was written since this object was created. False for a name with %-patterns.
  bool is_new() const;

 private:
  std::string path_;
  bool written_by_agent_ = false;
  bool is_descriptor_ = false;
  struct stat before_ {};
};

// The reason why the user of this process could not replace `path` now; empty if it could.
std::string why_not_writable(const std::string& path);

// Throws Error if standard output is closed or full.
void write_stdout(std::string_view text);
// A profile that another process handed over: without control characters on a terminal.
void write_stdout(const std::function<std::string_view()>& next);

}  // namespace hearth::launcher
