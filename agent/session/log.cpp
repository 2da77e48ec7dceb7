#include "session/log.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "base/formatted.h"
#include "base/owned.h"

namespace hearth::session {
namespace {

UniqueFd open_log(const std::string& file) {
  return UniqueFd(open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
}

}  // namespace

void Log::configure(LogLevel least, const std::string& file, bool quiet) {
  if (!file.empty() && !open_log(file))
    throw Error(formatted("option log: cannot open {}: {}", file, std::strerror(errno)),
                "choose a path the process may write to");
  std::lock_guard<std::mutex> lock(mutex_);
  least_ = quiet && least < LogLevel::kError ? LogLevel::kError : least;
  file_ = file;
}

void Log::write(LogLevel level, std::string_view message) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (level < least_ || least_ == LogLevel::kNone) return;
  std::string line = formatted("hearth: {}\n", message);
  UniqueFd file = file_.empty() ? UniqueFd() : open_log(file_);
  // One write a line: lines of several threads and of the JVM itself stay whole.
  [[maybe_unused]] ssize_t written = ::write(file ? file.get() : STDERR_FILENO, line.data(), line.size());
}

}  // namespace hearth::session
