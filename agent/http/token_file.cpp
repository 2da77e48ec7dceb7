#include "http/token_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>

#include "base/error.h"
#include "base/formatted.h"
#include "base/owned.h"
#include "http/secrets.h"

namespace hearth::http {
namespace {

constexpr size_t kShortest = 16;
constexpr size_t kLongest = 256;
constexpr std::string_view kBlanks = " \t\r\n";

struct Made {
  std::string token;
  UniqueFd file;
};

// Makes the file, which must not be there: nobody can have put another in its place.
Made make(const std::string& path) {
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
  return {token, std::move(file)};
}

// The process that wrote it would hold a lock on it; of another pid namespace, its number says nothing.
bool is_of_a_dead_process(const std::string& path, const std::string& pid) {
  bool is_number = !pid.empty() && pid.size() < 10 && pid.find_first_not_of("0123456789") == std::string::npos;
  if (!is_number || kill(std::stoi(pid), 0) == 0 || errno != ESRCH) return false;
  UniqueFd file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  return file && flock(file.get(), LOCK_EX | LOCK_NB) == 0;
}

void sweep(const std::string& folder) {
  constexpr std::string_view kPrefix = "token-";
  std::error_code error;
  std::filesystem::directory_iterator files(folder, error), end;
  for (; !error && files != end; files.increment(error)) {
    std::string name = files->path().filename();
    bool is_ours = name.compare(0, kPrefix.size(), kPrefix) == 0;
    if (is_ours && is_of_a_dead_process(files->path(), name.substr(kPrefix.size()))) unlink(files->path().c_str());
  }
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
  sweep(folder);
  Made made = make(path);
  flock(made.file.get(), LOCK_EX | LOCK_NB);
  return {path, made.token, std::move(made.file)};
}

TokenFile TokenFile::given(const std::string& path) {
  UniqueFd file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file) return {path, read(file, path), UniqueFd()};
  if (errno != ENOENT)
    throw Error(formatted("option token: cannot read {}: {}", path, std::strerror(errno)), "name another file");
  return {path, make(path).token, UniqueFd()};
}

void TokenFile::remove() {
  if (std::exchange(goes_, false)) unlink(path_.c_str());
}

}  // namespace hearth::http
