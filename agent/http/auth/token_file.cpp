#include "http/auth/token_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string_view>

#include "base/error.h"
#include "base/files.h"
#include "base/formatted.h"
#include "http/auth/secrets.h"

namespace hearth::http {
namespace {

constexpr size_t kShortest = 16;
constexpr size_t kLongest = 256;
constexpr std::string_view kBlanks = " \t\r\n";

struct Made {
  std::string token;
  UniqueFd file;  // locked while its server lives, which processes of other containers can test, too
};

[[noreturn]] void fail(const char* what, const std::string& path, int error, const char* remedy) {
  throw Error(formatted("option token: cannot {} {}: {}", what, path, std::strerror(error)), remedy);
}

// Gives the file its name unless that is taken. Returns 0, or the errno.
int give_name(const std::string& temporary, const std::string& path) {
  if (link(temporary.c_str(), path.c_str()) == 0) {
    unlink(temporary.c_str());
    return 0;
  }
  bool has_no_links = errno == EPERM || errno == EOPNOTSUPP || errno == ENOSYS;
  if (has_no_links && rename_to_new(AT_FDCWD, temporary, path)) return 0;
  int error = errno;
  unlink(temporary.c_str());
  return error;
}

// Makes the file, which is visible only when it is locked and complete. Returns nothing where the name is taken, also
// by a dangling link.
std::optional<Made> make(const std::string& path) {
  Made made{random_secret(), {}};
  std::string temporary = formatted("{}.{:.16}.tmp", path, random_secret());
  made.file =
      UniqueFd(open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR));
  if (!made.file) fail("make", path, errno, "choose a place that the process may write to");
  flock(made.file.get(), LOCK_EX | LOCK_NB);
  std::string line = made.token + "\n";
  if (write(made.file.get(), line.data(), line.size()) != static_cast<ssize_t>(line.size())) {
    int error = errno;
    unlink(temporary.c_str());
    fail("write", path, error, "free some space");
  }
  int error = give_name(temporary, path);
  if (error != 0 && error != EEXIST) fail("make", path, error, "choose a place that the process may write to");
  if (error != 0) return std::nullopt;
  return made;
}

bool is_name_of(const std::string& path, const UniqueFd& file) {
  struct stat named {};
  struct stat open {};
  return lstat(path.c_str(), &named) == 0 && fstat(file.get(), &open) == 0 && named.st_dev == open.st_dev &&
         named.st_ino == open.st_ino;
}

// token-PID, or token-PID-RANDOM of 8 digits.
bool is_own_name(std::string_view name) {
  constexpr std::string_view kPrefix = "token-";
  constexpr size_t kRandom = 8;
  if (name.substr(0, kPrefix.size()) != kPrefix) return false;
  size_t end = std::min(name.find_first_not_of("0123456789", kPrefix.size()), name.size());
  if (end == kPrefix.size() || end == name.size()) return end > kPrefix.size();
  return name[end] == '-' && name.size() == end + 1 + kRandom &&
         name.find_first_not_of("0123456789abcdef", end + 1) == std::string_view::npos;
}

// Removes the files of killed processes. The holder of the lock may: meanwhile the name cannot pass to another file.
void sweep(const std::string& folder) {
  std::error_code error;
  std::filesystem::directory_iterator files(folder, error);
  for (; !error && files != std::filesystem::directory_iterator(); files.increment(error)) {
    if (!is_own_name(files->path().filename().string())) continue;
    std::string path = files->path().string();
    UniqueFd file(open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    if (file && flock(file.get(), LOCK_EX | LOCK_NB) == 0 && is_name_of(path, file)) unlink(path.c_str());
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
  sweep(folder);
  std::string path = formatted("{}/token-{}", folder, getpid());
  std::optional<Made> made = make(path);
  while (!made) {  // a live process of another container has this number
    path = formatted("{}/token-{}-{:.8}", folder, getpid(), random_secret());
    made = make(path);
  }
  return {path, made->token, std::move(made->file)};
}

TokenFile TokenFile::given(const std::string& path) {
  for (bool has_to_be_there : {false, true}) {
    UniqueFd file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (file) return {path, read(file, path), UniqueFd()};
    if (errno != ENOENT || has_to_be_there) break;
    if (std::optional<Made> made = make(path)) return {path, made->token, UniqueFd()};
    // Another process made it meanwhile.
  }
  fail("read", path, errno, "name another file");
}

void TokenFile::remove() {
  if (own_ && is_name_of(path_, own_)) unlink(path_.c_str());
  own_.reset();
}

}  // namespace hearth::http
