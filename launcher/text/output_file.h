// Where the profile goes: standard output, a file that the JVM writes itself, or one that the launcher writes for a JVM
// that does not share its files.
#pragma once

#include <sys/stat.h>

#include <functional>
#include <string>
#include <string_view>

#include "launcher/attach/jvm.h"

namespace hearth::launcher {

class OutputFile {
 public:
  // `typed` is the value of -f, empty or "-" for standard output. Throws Error at once when whoever is to write the
  // file cannot: a profile of a minute must not be lost to a mistyped folder or a full disk.
  OutputFile(const Jvm& jvm, const std::string& typed);

  bool to_stdout() const { return path_.empty(); }
  // What to put into the agent's file=, absolute; empty when the agent is to hand the profile over instead.
  std::string agent_path() const { return written_by_agent_ ? path_ : std::string(); }
  const std::string& path() const { return path_; }

  // Why agent_path() is empty though there is a path.
  const char* why_not_by_agent() const;

  // Writes a profile that the agent handed over, a piece after the other until one is empty. Throws Error.
  void write(const std::function<std::string_view()>& next) const;

  // True when the file was written since this object was made. A name with %-patterns cannot be told: false.
  bool is_new() const;

 private:
  std::string path_;
  bool written_by_agent_ = false;
  bool is_descriptor_ = false;
  struct stat before_ {};
};

// Why the user of this process could not replace `path` now; empty when nothing speaks against it.
std::string why_not_writable(const std::string& path);

// Throws Error when standard output is closed or full.
void write_stdout(std::string_view text);
// A profile that another process handed over: on a terminal without control characters.
void write_stdout(const std::function<std::string_view()>& next);

}  // namespace hearth::launcher
