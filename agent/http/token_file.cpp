#include "http/token_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "base/formatted.h"
#include "base/owned.h"
#include "http/secrets.h"

namespace hearth::http {
namespace {

constexpr size_t kShortest = 16;
constexpr size_t kLongest = 256;
constexpr std::string_view kBlanks = " \t\r\n";

// Makes the file, which must not be there: nobody can have put another in its place.
std::string make(const std::string& path) {
  UniqueFd file(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR));
  if (!file)
    throw Error(formatted("option token: cannot make {}: {}", path, std::strerror(errno)),
                "choose a place that the process may write to");
  std::string token = random_secret();
  std::string line = token + "\n";
  if (write(file.get(), line.data(), line.size()) != static_cast<ssize_t>(line.size())) {
    int error = errno;
    unlink(path.c_str());
    throw Error(formatted("option token: cannot write {}: {}", path, std::strerror(error)), "free some space");
  }
  return token;
}

bool is_token(const std::string& text) {
  bool is_plain = std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < 0x7f; });
  return is_plain && text.size() >= kShortest && text.size() <= kLongest;
}

std::string read(const UniqueFd& file, const std::string& path) {
  struct stat info {};
  if (fstat(file.get(), &info) != 0 || !S_ISREG(info.st_mode))
    throw Error(formatted("option token: {} is no file", path), "name another");
  bool is_ours = info.st_uid == geteuid() || info.st_uid == 0;
  if (!is_ours || (info.st_mode & (S_IRWXG | S_IRWXO)) != 0)
    throw Error(formatted("option token: others than this user can read {}", path),
                "chown it to the user, and chmod 600 it");
  char buffer[kLongest + 64];
  ssize_t got = ::read(file.get(), buffer, sizeof buffer);
  std::string text(buffer, static_cast<size_t>(std::max<ssize_t>(got, 0)));
  size_t begin = std::min(text.find_first_not_of(kBlanks), text.size());
  text.erase(0, begin);
  text.erase(text.find_last_not_of(kBlanks) + 1);
  if (!is_token(text))
    throw Error(formatted("option token: {} holds no token", path),
                formatted("it needs {} to {} letters, digits or signs without blanks; a file that is not there is made",
                          kShortest, kLongest));
  return text;
}

}  // namespace

TokenFile TokenFile::own(const std::string& folder) {
  std::string path = formatted("{}/token-{}", folder, getpid());
  unlink(path.c_str());  // of a process that was killed, and had this number
  std::string token = make(path);
  return {path, token, true};
}

TokenFile TokenFile::given(const std::string& path) {
  UniqueFd file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file) return {path, read(file, path), false};
  if (errno != ENOENT)
    throw Error(formatted("option token: cannot read {}: {}", path, std::strerror(errno)), "name another file");
  std::string token = make(path);
  return {path, token, false};
}

void TokenFile::remove() {
  if (std::exchange(goes_, false)) unlink(path_.c_str());
}

}  // namespace hearth::http
