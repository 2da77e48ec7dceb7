#include "launcher/text/output_file.h"

#include <fcntl.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "base/error.h"
#include "base/files.h"
#include "base/formatted.h"
#include "base/owned.h"
#include "launcher/attach/identity.h"
#include "launcher/attach/namespaces.h"
#include "profile/codec/utf8.h"

namespace hearth::launcher {
namespace {

namespace fs = std::filesystem;

bool is_full(const std::string& folder) {
  struct statvfs system {};
  if (::statvfs(folder.c_str(), &system) != 0) return false;
  auto free_blocks = ::geteuid() == 0 ? system.f_bfree : system.f_bavail;
  return (system.f_blocks > 0 && free_blocks == 0) || (system.f_files > 0 && system.f_ffree == 0);
}

// In a folder like /tmp only the owner of a file may replace it.
bool is_protected(const struct stat& folder, const struct stat& file) {
  uid_t user = ::geteuid();
  return (folder.st_mode & S_ISVTX) != 0 && user != 0 && file.st_uid != user && folder.st_uid != user;
}

// 0 if a file can be created next to `path`, as replacing it requires; permissions alone are not enough (/proc).
int errno_of_new_file(const std::string& path) {
  std::string beside = formatted("{}.{}.new", path, ::getpid());
  UniqueFd fd(::open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!fd) return errno;
  ::unlink(beside.c_str());
  return 0;
}

std::string remedy_for(const std::string& reason) {
  if (reason == std::strerror(ENOSPC)) return "free some space or choose another place with -f";
  if (reason == std::strerror(ENOENT)) return "create its folder first or choose another place with -f";
  return "choose a place with -f that it may write to";
}

void check(const Jvm& jvm, const std::string& path, bool by_agent) {
  if (fs::path(path).parent_path().string().find('%') != std::string::npos) return;  // the agent expands the name
  std::string reason = by_agent ? run_as(jvm.process, [&] { return why_not_writable(path); }) : why_not_writable(path);
  if (reason.empty()) return;
  std::string who =
      by_agent ? formatted("process {} of user {}", jvm.process.pid, user_name(jvm.process.uid)) : "hearth";
  throw Error(formatted("{} cannot write {}: {}", who, path, reason), remedy_for(reason));
}

}  // namespace

std::string why_not_writable(const std::string& path) {
  struct stat file {
  }, folder{};
  if (::stat(path.c_str(), &file) == 0 && S_ISDIR(file.st_mode)) return std::strerror(EISDIR);
  if (is_written_in_place(path)) return ::access(path.c_str(), W_OK) == 0 ? "" : std::strerror(errno);
  bool exists = ::lstat(path.c_str(), &file) == 0;
  std::string parent = fs::path(path).parent_path();
  if (::stat(parent.c_str(), &folder) != 0) return std::strerror(errno);
  if (!S_ISDIR(folder.st_mode)) return std::strerror(ENOTDIR);
  if (::access(parent.c_str(), W_OK | X_OK) != 0) return std::strerror(errno);
  if (exists && is_protected(folder, file)) return std::strerror(EPERM);
  if (int error = errno_of_new_file(path); error != 0) return std::strerror(error);
  return is_full(parent) ? std::strerror(ENOSPC) : "";
}

void write_stdout(std::string_view text) {
  bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (!written)
    throw Error(formatted("cannot write to standard output: {}", std::strerror(errno)), "name a file with -f");
}

void write_stdout(const std::function<std::string_view()>& next) {
  bool is_terminal = ::isatty(STDOUT_FILENO) == 1;
  std::string held;  // the start of a character that ends in the next piece
  for (std::string_view piece; !(piece = next()).empty();) {
    if (!is_terminal) {
      write_stdout(piece);
      continue;
    }
    held += piece;
    size_t whole = profile::whole_letters(held);
    write_stdout(profile::shown_lines(std::string_view(held).substr(0, whole)));
    held.erase(0, whole);
  }
  write_stdout(profile::shown_lines(held));
}

OutputFile::OutputFile(const Jvm& jvm, const std::string& typed) {
  if (typed.empty() || typed == "-") return;
  path_ = fs::absolute(typed).lexically_normal();
  if (descriptor_in(path_) == STDOUT_FILENO) {
    path_.clear();
    return;
  }
  is_descriptor_ = descriptor_in(path_).has_value();
  written_by_agent_ = !is_descriptor_ && shares_files(jvm.process);
  if (written_by_agent_ && path_.find(',') != std::string::npos)
    throw Error(formatted("the file {} has a comma in its path, which separates the agent's options", path_),
                "choose another place with -f");
  if (!written_by_agent_ && path_.find('%') != std::string::npos)
    throw Error(formatted("{} contains a % pattern, which is not expanded for a JVM in a container", path_),
                "give the plain name with -f");
  check(jvm, path_, written_by_agent_);
  if (::stat(path_.c_str(), &before_) != 0) before_ = {};
}

const char* OutputFile::why_not_by_agent() const {
  return is_descriptor_ ? "the file is open in hearth only" : "the process runs in a container";
}

void OutputFile::write(const std::function<std::string_view()>& next) const {
  if (path_.empty())
    write_stdout(next);
  else
    replace_file(path_, next);
}

bool OutputFile::is_new() const {
  struct stat now {};
  if (path_.empty() || ::stat(path_.c_str(), &now) != 0) return false;
  return now.st_ino != before_.st_ino || now.st_mtim.tv_sec != before_.st_mtim.tv_sec ||
         now.st_mtim.tv_nsec != before_.st_mtim.tv_nsec;
}

}  // namespace hearth::launcher
