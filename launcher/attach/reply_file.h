// The file through which the agent answers: the attach protocol itself carries a number only.
#pragma once

#include <string>
#include <string_view>

#include "base/files.h"
#include "base/owned.h"
#include "launcher/attach/process.h"

namespace hearth::launcher {

// What the agent has written, a piece after the other, and no more than a bound: the process writes what it likes.
class ReplyPieces {
 public:
  // `path` leads to the file for as long as this takes to make. Throws Error.
  ReplyPieces(const std::string& path, pid_t pid, size_t most);
  // Empty at the end; a piece is gone with the next call. Throws Error, beyond the bound, too.
  std::string_view next();

 private:
  void check(size_t size) const;

  FilePieces file_;
  pid_t pid_;
  size_t most_;
  size_t read_ = 0;
};

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
  ReplyPieces pieces(size_t most) const;             // throws Error

 private:
  UniqueFd folder_;
  UniqueFd file_;
  std::string name_;
  std::string path_;
  pid_t pid_;
};

}  // namespace hearth::launcher
