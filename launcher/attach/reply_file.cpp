#include "launcher/attach/reply_file.h"

#include <fcntl.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

#include "base/error.h"
#include "base/files.h"
#include "base/formatted.h"
#include "base/random.h"
#include "launcher/attach/identity.h"
#include "launcher/attach/namespaces.h"

namespace hearth::launcher {
namespace {

std::string random_word() {
  uint64_t number[2] = {};
  if (!fill_random(number, sizeof number)) throw Error(formatted("cannot get random bytes: {}", std::strerror(errno)));
  return formatted("{:016x}{:016x}", number[0], number[1]);
}

}  // namespace

ReplyFile::ReplyFile(const Process& process)
    : folder_(open_in(process, "/tmp", O_RDONLY | O_DIRECTORY)),
      name_(formatted(".hearth-{}-{}", process.inner_pid, random_word())),
      path_("/tmp/" + name_),
      pid_(process.pid) {
  FileIdentity as_process(process);
  if (folder_)
    file_ = UniqueFd(::openat(folder_.get(), name_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file_)
    throw Error(
        formatted("cannot create {} for the agent's reply in process {}: {}", path_, process.pid, std::strerror(errno)),
        "free some space in that /tmp or make it writable");
  // The agent's replies fit, except for profiles. Some file systems cannot reserve.
  constexpr off_t kReserved = 16 << 10;
  if (::fallocate(file_.get(), FALLOC_FL_KEEP_SIZE, 0, kReserved) != 0 && errno == ENOSPC) {
    ::unlinkat(folder_.get(), name_.c_str(), 0);
    throw Error(
        formatted("no space for the agent's reply in the /tmp of process {}: {}", process.pid, std::strerror(ENOSPC)),
        "free some space there");
  }
}

ReplyFile::~ReplyFile() {
  ::unlinkat(folder_.get(), name_.c_str(), 0);
}

ReplyPieces ReplyFile::pieces(size_t most) const {
  return {formatted("/proc/self/fd/{}", file_.get()), pid_, most};
}

ReplyPieces::ReplyPieces(const std::string& path, pid_t pid, size_t most) : file_(path), pid_(pid), most_(most) {
  check(file_.size());
}

std::string_view ReplyPieces::next() {
  std::string_view piece = file_.next();
  read_ += piece.size();
  check(read_);
  return piece;
}

void ReplyPieces::check(size_t size) const {
  if (size <= most_) return;
  throw Error(formatted("process {} replied with more than {} MiB", pid_, most_ >> 20),
              "sample for a shorter time or with a longer interval");
}

}  // namespace hearth::launcher
