#include "launcher/attach/agent_library.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>
#include <zlib.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/error.h"
#include "base/files.h"
#include "base/formatted.h"
#include "base/owned.h"
#include "launcher/attach/elf_file.h"
#include "launcher/attach/identity.h"
#include "launcher/attach/namespaces.h"
#include "profile/codec/utf8.h"

namespace hearth::launcher {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kTmp = "/tmp/";  // of the process
constexpr const char* kNameIt = "name libhearth.so with --libpath";

std::string own_library() {
  return (fs::read_symlink("/proc/self/exe").parent_path() / ".." / "lib" / "libhearth.so").lexically_normal();
}

std::string path_of(const std::string& libpath) {
  return libpath.empty() ? own_library() : fs::absolute(libpath).lexically_normal().string();
}

std::string content_of_own(const std::string& path) {
  try {
    return read_file(path);
  } catch (const Error& error) {
    throw Error(error.what(), kNameIt);
  }
}

// Throws Error if the library that begins with `content` cannot run in the JVM. Where one of the two cannot be read,
// the JVM's own refusal follows.
void check_processor(const Jvm& jvm, const std::string& path, std::string_view content) {
  const std::optional<MappedLibrary>& libjvm = jvm.libraries.libjvm;
  UniqueFd root = root_of(jvm.process);
  if (!libjvm || libjvm->replaced || !root) return;
  std::string of_jvm = run_as(jvm.process, [&] { return read_below(root.get(), libjvm->path, kElfHeader); });
  std::optional<Processor> here = processor_of(content), there = processor_of(of_jvm);
  if (!here || !there || *here == *there) return;
  throw Error(
      formatted("process {} is a JVM for {}, and {} is for {}", jvm.process.pid, there->name(), path, here->name()),
      there->is_supported() ? formatted("name a libhearth.so for {} with --libpath", there->name())
                            : "run the program in a JVM for x86-64 or aarch64");
}

// True if the process's own user finds `content` at `path`, which the process chose.
bool finds(const Process& process, const std::string& path, const std::string& content) {
  UniqueFd root = root_of(process);
  if (!root) return false;
  auto work = [&] { return std::string(read_below(root.get(), path, content.size() + 1) == content ? "yes" : ""); };
  return run_as(process, work) == "yes";
}

bool may_read(const Process& process, const std::string& path) {
  return run_as(process, [&] { return std::string(::access(path.c_str(), R_OK) == 0 ? "yes" : ""); }) == "yes";
}

// The hearth library that the JVM has already loaded, if it is the same build or the requested one. A second one would
// make two profilers compete for the same signals.
std::string loaded_library(const Jvm& jvm, const std::string& wanted, bool verbose) {
  const MappedLibrary& loaded = *jvm.libraries.libhearth;
  if (loaded.replaced && verbose)
    print(stderr, "hearth: process {} still runs the {} it loaded before that file was replaced\n", jvm.process.pid,
          profile::shown_text(loaded.path));
  if (loaded.path == wanted || loaded.path == fs::weakly_canonical(wanted)) return loaded.path;
  bool same = !loaded.replaced && finds(jvm.process, loaded.path, content_of_own(wanted));
  if (!same)
    throw Error(formatted("process {} has another build of hearth loaded, {}", jvm.process.pid, loaded.path),
                formatted("use that one with --libpath {}, or restart the process", loaded.path));
  return loaded.path;
}

// An existing copy is trusted only if nobody except root, the launcher's user or the process itself can have written
// it.
void check_copy(const Process& process, int folder, const std::string& name, const std::string& content) {
  UniqueFd fd = opened_if_regular(UniqueFd(::openat(folder, name.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC)));
  struct stat info {};
  bool ours = fd && ::fstat(fd.get(), &info) == 0 && (info.st_mode & (S_IWGRP | S_IWOTH)) == 0 &&
              (info.st_uid == 0 || info.st_uid == ::geteuid() || info.st_uid == process.uid) &&
              read_file(formatted("/proc/self/fd/{}", fd.get()), content.size() + 1) == content;
  if (!ours)
    throw Error(formatted("/tmp/{} in process {} is not the file that hearth puts there", name, process.pid),
                "check its owner and remove it");
}

bool write_whole(int fd, std::string_view content) {
  while (!content.empty()) {
    ssize_t written = ::write(fd, content.data(), content.size());
    if (written < 0 && errno != EINTR) return false;
    if (written > 0) content.remove_prefix(static_cast<size_t>(written));
  }
  return ::fchmod(fd, 0755) == 0;
}

// 0, or the errno of the failure, after which nothing is left behind.
int write_copy(int folder, const std::string& name, const std::string& content) {
  std::string temporary = formatted("{}.{}.tmp", name, ::getpid());
  UniqueFd fd(::openat(folder, temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0700));
  if (!fd) return errno;
  bool placed = write_whole(fd.get(), content) && rename_to_new(folder, temporary, name);
  int error = placed ? 0 : errno;
  if (!placed) ::unlinkat(folder, temporary.c_str(), 0);
  return error == EEXIST ? 0 : error;  // another launcher was faster
}

PlacedLibrary copy_into(const Process& process, const std::string& path, const std::string& content, bool verbose) {
  UniqueFd folder = open_in(process, "/tmp", O_RDONLY | O_DIRECTORY);
  if (!folder) throw Error(formatted("cannot open the /tmp of process {}: {}", process.pid, std::strerror(errno)));
  struct statvfs system {};
  if (::fstatvfs(folder.get(), &system) == 0 && (system.f_flag & ST_NOEXEC) != 0)
    throw Error(formatted("process {} cannot see {}, and its /tmp does not allow programs (noexec)", process.pid, path),
                "put libhearth.so where it sees it and name it with --libpath");
  uLong sum = ::crc32(0, reinterpret_cast<const Bytef*>(content.data()), static_cast<uInt>(content.size()));
  std::string name = formatted(".hearth-libhearth-{}-{:08x}.so", HEARTH_VERSION, sum);
  PlacedLibrary placed{std::string(kTmp) + name};
  if (::faccessat(folder.get(), name.c_str(), F_OK, AT_SYMLINK_NOFOLLOW) != 0) {
    int error = write_copy(folder.get(), name, content);
    if (error == EOVERFLOW) {  // a rootless container, in which the machine's root can own nothing
      FileIdentity as_process(process);
      error = write_copy(folder.get(), name, content);
    }
    if (error != 0)
      throw Error(formatted("cannot copy the agent into the /tmp of process {}: {}", process.pid, std::strerror(error)),
                  "free some space there, or put libhearth.so where that process sees it and name it with --libpath");
    placed.is_new_copy = true;
    if (verbose) print(stderr, "hearth: copied {} to /tmp/{} of process {}\n", path, name, process.pid);
  }
  check_copy(process, folder.get(), name, content);
  return placed;
}

}  // namespace

std::string local_agent_library(const std::string& libpath) {
  std::string path = path_of(libpath);
  if (::access(path.c_str(), R_OK) != 0)
    throw Error(formatted("cannot read {}: {}", path, std::strerror(errno)), kNameIt);
  return path;
}

PlacedLibrary place_agent_library(const Jvm& jvm, const std::string& libpath, bool verbose) {
  const Process& process = jvm.process;
  std::string path = path_of(libpath);
  if (jvm.libraries.libhearth) return {loaded_library(jvm, path, verbose)};
  bool shared = shares_files(process);
  if (shared && ::access(path.c_str(), R_OK) == 0 && may_read(process, path)) {
    check_processor(jvm, path, read_file(path, kElfHeader));
    return {path};
  }
  if (!shared && !libpath.empty() && open_in(process, path, O_PATH)) return {path};
  std::string content = content_of_own(path);
  check_processor(jvm, path, content);
  if (!shared && finds(process, path, content)) return {path};
  return copy_into(process, path, content, verbose);
}

void remove_new_copy(const Process& process, const PlacedLibrary& library) {
  if (!library.is_new_copy) return;
  UniqueFd folder = open_in(process, std::string(kTmp), O_RDONLY | O_DIRECTORY);
  if (folder) ::unlinkat(folder.get(), library.path.c_str() + kTmp.size(), 0);
}

}  // namespace hearth::launcher
