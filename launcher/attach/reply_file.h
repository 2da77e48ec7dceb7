// The file of the agent's reply: the attach protocol itself carries only a number.
#pragma once

#include <string>
#include <string_view>

#include "base/files.h"
#include "base/owned.h"
#include "launcher/attach/process.h"

namespace hearth::launcher {

// The agent's reply in pieces, up to a limit: the process could write anything.
class ReplyPieces {
 public:
  // `path` must lead to the file only until this is constructed. Throws Error.
  ReplyPieces(const std::string& path, pid_t pid, size_t most);
  // Empty at the end; the next call invalidates a piece. Throws Error, also beyond the limit.
  std::string_view next();

 private:
  void check(size_t size) const;

  FilePieces file_;
  pid_t pid_;
  size_t most_;
  size_t read_ = 0;
};

// An empty file with an unguessable name in the /tmp of the process, readable and writable by the process's user only.
// Removed with this object, and read by its descriptor, so that nobody can replace it.
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
