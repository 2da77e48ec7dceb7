#include "base/log.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>

#include "base/error.h"
#include "base/formatted.h"
#include "base/owned.h"

namespace hearth {
namespace {

// O_NONBLOCK: a pipe without a reader loses lines and delays nobody.
UniqueFd open_log(const std::string& file) {
  return UniqueFd(open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK | O_CLOEXEC, 0644));
}

// Waits up to a second: standard error may be a pipe that the program's parent does not read.
bool has_room(int fd) {
  constexpr int kPatienceMs = 1000;
  pollfd awaited{fd, POLLOUT, 0};
  return poll(&awaited, 1, kPatienceMs) != 0;
}

}  // namespace

void Log::configure(LogLevel least, const std::string& file, bool quiet) {
  if (!file.empty() && !open_log(file))
    throw Error(formatted("option log: cannot open {}: {}", file, std::strerror(errno)),
                "choose a path the process may write to");
  std::lock_guard<std::mutex> lock(mutex_);
  least_ = quiet && least < LogLevel::kError ? LogLevel::kError : least;
  file_ = file;
  is_configured_ = true;
}

void Log::prefer_standard_output() {
  std::lock_guard<std::mutex> lock(mutex_);
  uses_standard_output_ = uses_standard_output_ || !is_configured_;
}

void Log::write(LogLevel level, std::string_view message) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (level < least_ || least_ == LogLevel::kNone) return;
  std::string line = formatted("hearth: {}\n", message);
  UniqueFd file = file_.empty() ? UniqueFd() : open_log(file_);
  int fd = file ? file.get() : uses_standard_output_ ? STDOUT_FILENO : STDERR_FILENO;
  // A line stays whole among those of other threads and the JVM up to PIPE_BUF, which a pipe takes in one write
  // (pipe(7)).
  for (std::string_view left = line; !left.empty() && has_room(fd);) {
    ssize_t written = ::write(fd, left.data(), std::min<size_t>(left.size(), PIPE_BUF));
    if (written <= 0) return;
    left.remove_prefix(static_cast<size_t>(written));
  }
}

}  // namespace hearth
