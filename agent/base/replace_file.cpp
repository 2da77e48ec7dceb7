#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <climits>
#include <cstdio>
#include <cstring>
#include <utility>

#include "base/files.h"
#include "base/formatted.h"

namespace hearth {
namespace {

using NextPiece = std::function<std::string_view()>;

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

[[noreturn]] void fail(const char* what, const std::string& path, int error = errno) {
  throw FileError(error, formatted("cannot {} {}: {}", what, path, std::strerror(error)), remedy_for(error));
}

std::atomic<int> g_reader_patience_ms{-1};

void wait_for_reader(int fd, const std::string& path) {
  pollfd awaited{fd, POLLOUT, 0};
  int patience = g_reader_patience_ms;
  int ready = ::poll(&awaited, 1, patience);
  if (ready < 0 && errno != EINTR) fail("write", path);
  if (ready == 0)
    throw FileError(ETIMEDOUT, formatted("cannot write {}: nobody has read from it for {} s", path, patience / 1000));
}

// Writes as much as the file takes without a wait. A caller's descriptor may be a blocking one: a socket gets
// MSG_DONTWAIT, others no more than a pipe with free space takes (pipe(7)).
ssize_t write_to_stream(int fd, std::string_view piece, const std::string& path) {
  if (g_reader_patience_ms < 0) return ::write(fd, piece.data(), piece.size());
  ssize_t sent = ::send(fd, piece.data(), piece.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
  if (sent >= 0 || errno != ENOTSOCK) return sent;
  if ((::fcntl(fd, F_GETFL) & O_NONBLOCK) != 0) return ::write(fd, piece.data(), piece.size());
  wait_for_reader(fd, path);
  return ::write(fd, piece.data(), std::min<size_t>(piece.size(), PIPE_BUF));
}

ssize_t write_to_file(int fd, std::string_view piece, const std::string&) {
  return ::write(fd, piece.data(), piece.size());
}

using Write = ssize_t (*)(int fd, std::string_view piece, const std::string& path);

void write_all(int fd, Write write, const NextPiece& next, const std::string& path) {
  for (std::string_view piece; !(piece = next()).empty();) {
    while (!piece.empty()) {
      ssize_t written = write(fd, piece, path);
      if (written >= 0) {
        piece.remove_prefix(static_cast<size_t>(written));
      } else if (errno == EAGAIN) {
        wait_for_reader(fd, path);
      } else if (errno != EINTR) {
        fail("write", path);
      }
    }
  }
}

bool is_stream(mode_t mode) {
  return S_ISCHR(mode) || S_ISFIFO(mode) || S_ISSOCK(mode);
}

// O_NONBLOCK: a pipe without a reader is an error instead of an endless wait.
int open_to_write(int fd) {
  return ::open(formatted("/proc/self/fd/{}", fd).c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
}

// Returns empty if `path` is not written in place. Checks the opened file itself, which nobody can exchange in between.
UniqueFd open_in_place(const std::string& path) {
  if (std::optional<int> number = descriptor_in(path)) {
    struct stat info {};
    // Opens a pipe or terminal again, as the caller's descriptor must stay a blocking one.
    if (::fstat(*number, &info) == 0 && (S_ISFIFO(info.st_mode) || S_ISCHR(info.st_mode)))
      if (UniqueFd pipe{open_to_write(*number)}) return pipe;
    UniqueFd same(::fcntl(*number, F_DUPFD_CLOEXEC, 0));
    if (!same) fail("open", path);
    return same;
  }
  UniqueFd place(::open(path.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
  struct stat info {};
  if (!place || ::fstat(place.get(), &info) != 0 || !is_stream(info.st_mode)) return {};
  UniqueFd fd(open_to_write(place.get()));
  if (!fd) fail("open", path);
  return fd;
}

// A path as a name and its open directory, which stays the same while files in it are made and renamed.
struct Place {
  explicit Place(const std::string& path) {
    size_t slash = path.rfind('/');
    name = path.substr(slash == std::string::npos ? 0 : slash + 1);
    if (name.empty()) fail("create", path, EISDIR);
    std::string parent = slash == std::string::npos ? "." : path.substr(0, slash + 1);
    directory = UniqueFd(::open(parent.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (!directory) fail("create", path);
  }

  UniqueFd directory;
  std::string name;
};

mode_t mode_of_new(const Place& place, Readers readers) {
  struct stat info {};
  bool is_closed = ::fstat(place.directory.get(), &info) == 0 && (info.st_mode & (S_IRWXG | S_IRWXO)) == 0;
  return readers == Readers::kOwner || is_closed ? 0600 : 0644;
}

// Writes the directory to the disk: a new file's name is there only then. Some file systems cannot do that, nor need
// to.
void sync_directory(const Place& place, const std::string& path) {
  UniqueFd fd(::openat(place.directory.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd || (::fsync(fd.get()) != 0 && errno != EINVAL)) fail("write", path);
}

}  // namespace

std::optional<int> descriptor_in(const std::string& path) {
  if (path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  for (std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (path.compare(0, folder.size(), folder) != 0) continue;
    int number = -1;
    const char* last = path.data() + path.size();
    auto [end, error] = std::from_chars(path.data() + folder.size(), last, number);
    if (error == std::errc() && end == last && number >= 0) return number;
  }
  return std::nullopt;
}

bool rename_to_new(int folder, const std::string& from, const std::string& to) {
  constexpr unsigned kNoReplace = 1;  // RENAME_NOREPLACE (linux/fs.h)
  return ::syscall(SYS_renameat2, folder, from.c_str(), folder, to.c_str(), kNoReplace) == 0;
}

bool is_written_in_place(const std::string& path) {
  struct stat info {};
  return descriptor_in(path).has_value() || (::lstat(path.c_str(), &info) == 0 && is_stream(info.st_mode));
}

void replace_file(const std::string& path, const NextPiece& next, Written written, Readers readers) {
  if (UniqueFd fd = open_in_place(path)) return write_all(fd.get(), write_to_stream, next, path);
  Place place(path);
  int directory = place.directory.get();
  std::string temporary = formatted("{}.{}.tmp", place.name, ::getpid());
  ::unlinkat(directory, temporary.c_str(), 0);
  UniqueFd fd(::openat(directory, temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                       mode_of_new(place, readers)));
  if (!fd) fail("create", path);
  try {
    write_all(fd.get(), write_to_file, next, path);
    if (written == Written::kOnDisk && ::fsync(fd.get()) != 0) fail("write", path);
    if (::renameat(directory, temporary.c_str(), directory, place.name.c_str()) != 0) fail("replace", path);
  } catch (...) {
    ::unlinkat(directory, temporary.c_str(), 0);
    throw;
  }
  if (written == Written::kOnDisk) sync_directory(place, path);
}

void replace_file(const std::string& path, std::string_view content, Written written, Readers readers) {
  replace_file(
      path, [&] { return std::exchange(content, {}); }, written, readers);
}

void set_reader_patience(std::chrono::milliseconds patience) {
  g_reader_patience_ms = static_cast<int>(patience.count());
}

void check_replaceable(const std::string& path) {
  if (std::optional<int> number = descriptor_in(path)) {
    int flags = ::fcntl(*number, F_GETFL);
    if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY) fail("open", path, EBADF);
  }
  if (is_written_in_place(path)) return;
  Place place(path);
  struct stat info {};
  if (::fstatat(place.directory.get(), place.name.c_str(), &info, 0) == 0 && S_ISDIR(info.st_mode))
    fail("create", path, EISDIR);
  if (::faccessat(place.directory.get(), ".", W_OK | X_OK, 0) != 0) fail("create", path);
}

}  // namespace hearth
