#include "namespaces.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

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

}  // namespace

bool shares_files(const Process& process) {
  std::string place = formatted("/proc/{}/", process.pid);
  return same_file(place + "ns/mnt", "/proc/self/ns/mnt") && same_file(place + "root", "/proc/self/root");
}

UniqueFd open_in(const Process& process, const std::string& path, int flags) {
  if (shares_files(process)) return UniqueFd(::open(path.c_str(), flags | O_CLOEXEC));
  UniqueFd root(::open(formatted("/proc/{}/root", process.pid).c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!root) return {};
  open_how how{};
  how.flags = static_cast<unsigned>(flags | O_CLOEXEC);
  how.resolve = RESOLVE_IN_ROOT;
  return UniqueFd(static_cast<int>(::syscall(SYS_openat2, root.get(), path.c_str(), &how, sizeof how)));
}

std::string read_file_in(const Process& process, const std::string& path) {
  UniqueFd fd = open_in(process, path, O_RDONLY | O_NONBLOCK);
  struct stat info {};
  if (!fd || ::fstat(fd.get(), &info) != 0 || !S_ISREG(info.st_mode)) return {};
  try {
    return read_file(formatted("/proc/self/fd/{}", fd.get()));
  } catch (const Error&) {
    return {};
  }
}

}  // namespace hearth::launcher
