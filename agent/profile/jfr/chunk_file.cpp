#include "profile/jfr/chunk_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "base/files.h"
#include "base/formatted.h"

namespace hearth::profile::jfr {

ChunkFile::ChunkFile(std::string path) : path_(std::move(path)) {
  constexpr mode_t kMode = 0644;
  check_replaceable(path_);
  std::string temporary = formatted("{}.{}.recording.tmp", path_, ::getpid());
  ::unlink(temporary.c_str());
  fd_ = UniqueFd(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, kMode));
  if (!fd_) fail(errno);
  temporary_ = std::move(temporary);
  struct stat about {};
  if (::fstat(fd_.get(), &about) != 0) fail(errno);
  device_ = about.st_dev;
  inode_ = about.st_ino;
}

ChunkFile::~ChunkFile() {
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

bool ChunkFile::is_at_its_place() const {
  const std::string& path = temporary_.empty() ? path_ : temporary_;
  struct stat about {};
  return ::stat(path.c_str(), &about) == 0 && about.st_dev == device_ && about.st_ino == inode_;
}

void ChunkFile::fail(int error) const {
  throw FileError(error, formatted("cannot write {}: {}", path_, std::strerror(error)),
                  error == ENOSPC || error == EDQUOT ? "free some space or choose another place"
                                                     : "choose a place that the process may write to");
}

void ChunkFile::put_at(int64_t offset, std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t written = ::pwrite(fd_.get(), bytes.data(), bytes.size(), offset);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      int error = errno;
      // Bytes behind the last chunk would be read as another one. The error that is reported is the first.
      if (::ftruncate(fd_.get(), size_) != 0) errno = error;
      fail(error);
    }
    bytes.remove_prefix(static_cast<size_t>(written));
    offset += written;
  }
}

void ChunkFile::append(std::string_view piece, std::string_view header) {
  if (chunk_ == size_) {  // a new chunk: with its header at once, so that a kill leaves nothing unreadable behind it
    std::string whole(piece);
    whole.replace(0, header.size(), header);
    put_at(size_, whole);
  } else {
    put_at(size_, piece);
    put_at(chunk_, header);
  }
  size_ += static_cast<int64_t>(piece.size());
  if (temporary_.empty()) return;
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) fail(errno);
  temporary_.clear();
}

}  // namespace hearth::profile::jfr
