// Where the profile goes: standard output, a file that the JVM writes itself, or one that the launcher writes for a JVM
// that does not share its files.
#pragma once

#include <sys/stat.h>

#include <string>
#include <string_view>

#include "jvm.h"

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

  // Writes a profile that the agent handed over. Throws Error.
  void write(std::string_view profile) const;

  // True when the file was written since this object was made. A name with %-patterns cannot be told: false.
  bool is_new() const;

 private:
  std::string path_;
  bool written_by_agent_ = false;
  struct stat before_ {};
};

// Why the user of this process could not replace `path` now; empty when nothing speaks against it.
std::string why_not_writable(const std::string& path);

// Throws Error when standard output is closed or full.
void write_stdout(std::string_view text);

}  // namespace hearth::launcher
