// Files: read one, or replace one so that nobody ever sees half of it.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
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
  FilePieces(std::string path, UniqueFd file);
  // Of one size but for the last piece; empty at the end. It is gone with the next call.
  std::string_view next();
  size_t size() const;  // 0 where that is not known

 private:
  std::string path_;
  UniqueFd owned_;
  int fd_;
  std::unique_ptr<char[]> piece_;
};

// At most the first `most` bytes. Throws FileError naming the path and the reason. "-" is standard input.
std::string read_file(const std::string& path, size_t most = std::string::npos);

// The same of a file that others could have put there: throws unless it is a regular one, which takes no wait to open,
// and has at most `most` bytes. No link in the last part of the path is followed.
std::string read_regular_file(const std::string& path, size_t most);

// kOnDisk: after a loss of power the file is whole, or the old one is there (fsync(2)); that takes milliseconds.
enum class Written { kInCache, kOnDisk };
// kByUmask: those that the umask leaves. A file in a directory that is closed to others is closed to them, too.
enum class Readers { kByUmask, kOwner };

// Writes a temporary file next to `path`, then renames it over `path`; on any failure (full disk, no directory, no
// right) the temporary is removed, the old file is untouched and a FileError is thrown. What is_written_in_place() is
// written in place. A symbolic link is replaced, never followed: its owner must not choose what a more powerful user
// overwrites. `next` returns the content piece by piece, an empty one at the end.
void replace_file(const std::string& path, const std::function<std::string_view()>& next,
                  Written written = Written::kInCache, Readers readers = Readers::kByUmask);
void replace_file(const std::string& path, std::string_view content, Written written = Written::kInCache,
                  Readers readers = Readers::kByUmask);

// For how long replace_file waits for the reader of a pipe or device to take anything. -1, the default: endlessly. Of
// the whole process.
void set_reader_patience(std::chrono::milliseconds patience);

// Throws the FileError that replace_file would, as far as that is known before: no directory, no right, a directory of
// that name.
void check_replaceable(const std::string& path);

// Whether `path` names an open descriptor of this process (/dev/stdout, /dev/fd/63), a pipe, a socket or a character
// device.
bool is_written_in_place(const std::string& path);

// The number in the name of an open descriptor of this process; nothing for another path.
std::optional<int> descriptor_in(const std::string& path);

}  // namespace hearth
