#include "base/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/error.h"
#include "base/formatted.h"
#include "base/owned.h"

namespace hearth {
namespace {

constexpr size_t kPiece = size_t{256} << 10;  // stays in a processor's cache until it is used

std::string start_of(FilePieces* file, size_t most) {
  std::string content;
  content.reserve(std::min(file->size(), most));
  for (std::string_view piece; content.size() < most && !(piece = file->next()).empty();)
    content += piece.substr(0, most - content.size());
  return content;
}

}  // namespace

bool FileError::is_full_disk() const {
  return number_ == ENOSPC || number_ == EDQUOT;
}

FilePieces::FilePieces(const std::string& path)
    : path_(path), owned_(path == "-" ? -1 : ::open(path.c_str(), O_RDONLY | O_CLOEXEC)), piece_(new char[kPiece]) {
  fd_ = path == "-" ? STDIN_FILENO : owned_.get();
  if (fd_ < 0) throw FileError(errno, formatted("cannot read {}: {}", path_, std::strerror(errno)));
}

FilePieces::FilePieces(std::string path, UniqueFd file)
    : path_(std::move(path)), owned_(std::move(file)), fd_(owned_.get()), piece_(new char[kPiece]) {}

std::string_view FilePieces::next() {
  size_t held = 0;
  while (held < kPiece) {
    ssize_t got = ::read(fd_, piece_.get() + held, kPiece - held);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw FileError(errno, formatted("cannot read {}: {}", path_, std::strerror(errno)));
    if (got == 0) break;
    held += static_cast<size_t>(got);
  }
  return {piece_.get(), held};
}

size_t FilePieces::size() const {
  struct stat info {};
  return ::fstat(fd_, &info) == 0 && S_ISREG(info.st_mode) ? static_cast<size_t>(info.st_size) : 0;
}

std::string read_file(const std::string& path, size_t most) {
  FilePieces file(path);
  return start_of(&file, most);
}

std::string read_if_readable(const std::string& path) {
  try {
    return read_file(path);
  } catch (const Error&) {
    return {};
  }
}

std::string read_regular_file(const std::string& path, size_t most) {
  // O_NONBLOCK: opening a pipe without a writer does not wait.
  UniqueFd fd(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  struct stat info {};
  if (!fd || ::fstat(fd.get(), &info) != 0)
    throw FileError(errno, formatted("cannot read {}: {}", path, std::strerror(errno)));
  if (!S_ISREG(info.st_mode)) throw FileError(EINVAL, formatted("cannot read {}: it is no regular file", path));
  FilePieces file(path, std::move(fd));
  std::string content = file.size() > most ? "" : start_of(&file, most + 1);
  if (file.size() > most || content.size() > most)
    throw FileError(EFBIG, formatted("cannot read {}: it has more than {} bytes", path, most));
  return content;
}

}  // namespace hearth
