// The file through which the agent answers: the attach protocol itself carries a number only.
#pragma once

#include <string>

#include "base/owned.h"
#include "process.h"

namespace hearth::launcher {

// An empty file with a name nobody can guess, in the /tmp of the process, readable and writable by the process's user
// only. It is removed when this goes out of scope, and read by its descriptor, so that nobody can put another file in
// its place.
class ReplyFile {
 public:
  explicit ReplyFile(const Process& process);  // throws Error
  ReplyFile(const ReplyFile&) = delete;
  ReplyFile& operator=(const ReplyFile&) = delete;
  ~ReplyFile();

  const std::string& path() const { return path_; }  // as the process sees it
  std::string content() const;                       // throws Error

 private:
  UniqueFd folder_;
  UniqueFd file_;
  std::string name_;
  std::string path_;
};

}  // namespace hearth::launcher
