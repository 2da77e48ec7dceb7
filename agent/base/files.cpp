#include "base/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/error.h"
#include "base/formatted.h"
#include "base/owned.h"

namespace hearth {
namespace {

constexpr size_t kPiece = size_t{256} << 10;  // stays in a processor's own cache until it is used

std::string remedy_for(int error) {
  switch (error) {
    case ENOSPC:
    case EDQUOT:
      return "free some space or choose another place";
    case EACCES:
    case EPERM:
    case EROFS:
      return "choose a place that the process may write to";
    case ENOENT:
    case ENOTDIR:
      return "create its directory first";
    default:
      return "";
  }
}

void write_all(int fd, std::string_view content, const std::string& path) {
  while (!content.empty()) {
    ssize_t written = ::write(fd, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0)
      throw FileError(errno, formatted("cannot write {}: {}", path, std::strerror(errno)), remedy_for(errno));
    content.remove_prefix(static_cast<size_t>(written));
  }
}

bool is_stream(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 &&
         (S_ISCHR(info.st_mode) || S_ISFIFO(info.st_mode) || S_ISSOCK(info.st_mode));
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

std::string read_file(const std::string& path) {
  FilePieces file(path);
  std::string content;
  content.reserve(file.size());
  for (std::string_view piece; !(piece = file.next()).empty();) content += piece;
  return content;
}

void replace_file(const std::string& path, std::string_view content, Written written) {
  if (is_stream(path)) {
    // O_NONBLOCK: a FIFO that nobody reads is an error, not a wait for ever.
    UniqueFd fd(::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK));
    if (!fd) throw FileError(errno, formatted("cannot open {}: {}", path, std::strerror(errno)), remedy_for(errno));
    ::fcntl(fd.get(), F_SETFL, 0);
    write_all(fd.get(), content, path);
    return;
  }
  std::string temporary = formatted("{}.{}.tmp", path, ::getpid());
  ::unlink(temporary.c_str());
  UniqueFd fd(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644));
  if (!fd) throw FileError(errno, formatted("cannot create {}: {}", path, std::strerror(errno)), remedy_for(errno));
  try {
    write_all(fd.get(), content, path);
    if (written == Written::kOnDisk && ::fsync(fd.get()) != 0)
      throw FileError(errno, formatted("cannot write {}: {}", path, std::strerror(errno)), remedy_for(errno));
    if (::rename(temporary.c_str(), path.c_str()) != 0)
      throw FileError(errno, formatted("cannot replace {}: {}", path, std::strerror(errno)), remedy_for(errno));
  } catch (...) {
    ::unlink(temporary.c_str());
    throw;
  }
}

void check_replaceable(const std::string& path) {
  if (is_stream(path)) return;
  size_t slash = path.rfind('/');
  std::string directory = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  struct stat info {};
  int error = 0;
  if (::stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode)) {
    error = EISDIR;
  } else if (::access(directory.c_str(), W_OK | X_OK) != 0) {
    error = errno;
  }
  if (error != 0)
    throw FileError(error, formatted("cannot create {}: {}", path, std::strerror(error)), remedy_for(error));
}

}  // namespace hearth
