// Reads files, and replaces a file so that no reader ever sees a partial one. Outside signals.
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

// The system refused a file.
class FileError : public Error {
 public:
  FileError(int error, const std::string& what, const std::string& remedy = "") : Error(what, remedy), number_(error) {}
  int number() const { return number_; }  // errno
  bool is_full_disk() const;

 private:
  int number_;
};

// A file that is read piece by piece. "-" is standard input.
class FilePieces {
 public:
  // Throws FileError with the path and the reason, as next() does.
  explicit FilePieces(const std::string& path);
  FilePieces(std::string path, UniqueFd file);
  // Returns the next piece, all but the last of one size; empty at the end. Valid until the next call.
  std::string_view next();
  size_t size() const;  // 0: unknown

 private:
  std::string path_;
  UniqueFd owned_;
  int fd_;
  std::unique_ptr<char[]> piece_;
};

// Returns at most the first `most` bytes. Throws FileError with the path and the reason. "-" is standard input.
std::string read_file(const std::string& path, size_t most = std::string::npos);
// As read_file(); empty where there is no such file, or this process may not read it.
std::string read_if_readable(const std::string& path);

// Returns the content of a file that others may have placed. Throws FileError unless it is a regular file, which opens
// without a wait, of at most `most` bytes. Does not follow a link in the last part of the path.
std::string read_regular_file(const std::string& path, size_t most);

// kOnDisk: after a power loss the file is complete, or the old one is there (fsync(2)); it takes milliseconds.
enum class Written { kInCache, kOnDisk };
// kByUmask: readers that the umask allows. A file in a directory that is closed to others is closed to them, too.
enum class Readers { kByUmask, kOwner };

// Writes a temporary file next to `path`, then renames it to `path`. On any failure (full disk, no directory, no right)
// it removes the temporary, leaves the old file untouched and throws FileError. A path for which
// is_written_in_place() is true is written in place. A symbolic link is replaced, not followed: its owner must not
// choose the file that a more powerful user overwrites. `next` returns the content piece by piece, an empty one at the
// end.
void replace_file(const std::string& path, const std::function<std::string_view()>& next,
                  Written written = Written::kInCache, Readers readers = Readers::kByUmask);
void replace_file(const std::string& path, std::string_view content, Written written = Written::kInCache,
                  Readers readers = Readers::kByUmask);

// Bounds how long replace_file waits for the reader of a pipe or device. -1, the default: no bound. For the whole
// process.
void set_reader_patience(std::chrono::milliseconds patience);

// Throws the FileError of replace_file as far as it is known in advance: no directory, no right, a directory of that
// name.
void check_replaceable(const std::string& path);

// Renames a file of `folder` (AT_FDCWD: the working directory). False with errno if it fails, EEXIST if `to` exists.
// Calls renameat2(2) directly, whose wrapper came with glibc 2.28.
bool rename_to_new(int folder, const std::string& from, const std::string& to);

// True if `path` names an open descriptor of this process (/dev/stdout, /dev/fd/63), a pipe, a socket or a character
// device.
bool is_written_in_place(const std::string& path);

// Returns the number in the name of an open descriptor of this process; nothing for another path.
std::optional<int> descriptor_in(const std::string& path);

}  // namespace hearth
