// Files: read one, or replace one so that nobody ever sees half of it.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/owned.h"

namespace hearth {

// Why the system refused a file.
class FileError : public Error {
 public:
  FileError(int error, const std::string& what, const std::string& remedy = "") : Error(what, remedy), number_(error) {}
  int number() const { return number_; }  // errno
  bool is_full_disk() const;

 private:
  int number_;
};

// One that is read a piece after the other. "-" is standard input.
class FilePieces {
 public:
  // Throws FileError naming the path and the reason, as next() does.
  explicit FilePieces(const std::string& path);
  // Of one size but for the last piece; empty at the end. It is gone with the next call.
  std::string_view next();
  size_t size() const;  // 0 where that is not known

 private:
  std::string path_;
  UniqueFd owned_;
  int fd_;
  std::unique_ptr<char[]> piece_;
};

// Throws FileError naming the path and the reason. "-" is standard input.
std::string read_file(const std::string& path);

// Writes a temporary file beside `path`, then renames it over `path`; on any failure (full disk, no directory, no
// right) the temporary is removed, the old file is untouched and a FileError is thrown. Character devices and pipes are
// written in place. kOnDisk: also after a loss of power it is whole, or the old one is there (fsync(2)); that takes
// milliseconds.
enum class Written { kInCache, kOnDisk };
void replace_file(const std::string& path, std::string_view content, Written written = Written::kInCache);

// Throws the FileError that replace_file would, as far as that can be told before: no directory, no right, a directory
// of that name.
void check_replaceable(const std::string& path);

}  // namespace hearth
