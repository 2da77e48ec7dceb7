#include "launcher/attach/namespaces.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "base/error.h"
#include "base/files.h"
#include "base/formatted.h"

namespace hearth::launcher {
namespace {

bool same_file(const std::string& a, const std::string& b) {
  struct stat info_a {
  }, info_b{};
  return ::stat(a.c_str(), &info_a) == 0 && ::stat(b.c_str(), &info_b) == 0 && info_a.st_dev == info_b.st_dev &&
         info_a.st_ino == info_b.st_ino;
}

bool is_own_root(int root) {
  return same_file(formatted("/proc/self/fd/{}", root), "/");
}

UniqueFd open_below(int root, const std::string& path, int flags) {
  open_how how{};
  how.flags = static_cast<unsigned>(flags | O_CLOEXEC);
  how.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS;
  return UniqueFd(static_cast<int>(::syscall(SYS_openat2, root, path.c_str(), &how, sizeof how)));
}

}  // namespace

bool shares_files(const Process& process) {
  std::string place = formatted("/proc/{}/", process.pid);
  return same_file(place + "ns/mnt", "/proc/self/ns/mnt") && same_file(place + "root", "/proc/self/root");
}

UniqueFd open_in(const Process& process, const std::string& path, int flags) {
  if (shares_files(process)) return UniqueFd(::open(path.c_str(), flags | O_CLOEXEC));
  UniqueFd root = root_of(process);
  return root ? open_below(root.get(), path, flags) : UniqueFd();
}

UniqueFd root_of(const Process& process) {
  return UniqueFd(::open(formatted("/proc/{}/root", process.pid).c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
}

std::string read_below(int root, const std::string& path, size_t most) {
  try {
    UniqueFd place = open_below(root, path, O_PATH | O_NOFOLLOW);
    bool is_unknown = !place && (errno == ENOSYS || errno == EPERM);  // openat2(2) came with Linux 5.6
    if (is_unknown && is_own_root(root)) place = UniqueFd(::open(path.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
    UniqueFd fd = opened_if_regular(place);
    return fd ? read_file(formatted("/proc/self/fd/{}", fd.get()), most) : std::string();
  } catch (const Error&) {
    return {};
  }
}

UniqueFd opened_if_regular(const UniqueFd& place) {
  struct stat info {};
  if (!place || ::fstat(place.get(), &info) != 0 || !S_ISREG(info.st_mode)) return {};
  // O_NONBLOCK: does not wait for a lease of another process on the file.
  return UniqueFd(::open(formatted("/proc/self/fd/{}", place.get()).c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
}

}  // namespace hearth::launcher
