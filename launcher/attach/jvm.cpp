#include "launcher/attach/jvm.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <filesystem>
#include <sstream>
#include <thread>

#include "base/address_beacon.h"
#include "base/error.h"
#include "base/files.h"
#include "base/formatted.h"
#include "base/text_parts.h"
#include "launcher/attach/elf_file.h"
#include "launcher/attach/identity.h"
#include "launcher/attach/listening.h"
#include "launcher/attach/namespaces.h"
#include "launcher/text/columns.h"
#include "profile/codec/utf8.h"

namespace hearth::launcher {
namespace {

constexpr std::string_view kReplaced = " (deleted)";
constexpr size_t kMostMaps = size_t{64} << 20;
constexpr size_t kMostRelease = size_t{64} << 10;
constexpr size_t kMostVersion = 40, kMostName = 200;  // characters
constexpr int kStartTries = 50;
constexpr std::chrono::milliseconds kStartPause{20};
constexpr std::chrono::milliseconds kListPatience{2'000};  // per JVM: a list has many

// The path at the end of a line of /proc/PID/maps; empty if the mapping has no file.
MappedLibrary library_in(std::string_view line) {
  size_t slash = line.find('/');
  if (slash == std::string_view::npos) return {};
  std::string_view path = line.substr(slash);
  bool replaced = ends_with(path, kReplaced);
  if (replaced) path.remove_suffix(kReplaced.size());
  return {std::string(path), replaced};
}

// JAVA_VERSION in a file `release` in one of the folders above `libjvm`, "?" if there is none.
std::string version_above(int root, std::string libjvm) {
  constexpr int kDeepest = 5;  // JDK 8: jre/lib/amd64/server/libjvm.so
  for (int level = 0; level < kDeepest; ++level) {
    libjvm.resize(libjvm.rfind('/') == std::string::npos ? 0 : libjvm.rfind('/'));
    std::string version = version_in_release(read_below(root, libjvm + "/release", kMostRelease));
    if (!version.empty()) return version;
  }
  return "?";
}

// A program of GraalVM's native-image has its heap as a section.
bool is_native_image(const Process& process) {
  auto work = [&process] {
    UniqueFd fd(::open(formatted("/proc/{}/exe", process.pid).c_str(), O_RDONLY | O_CLOEXEC));
    return std::string(fd && has_section(fd.get(), ".svm_heap") ? "yes" : "");
  };
  try {
    return run_as(process, work, kListPatience) == "yes";
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

MappedLibraries parse_maps(std::string_view maps) {
  MappedLibraries found;
  for (size_t end; !maps.empty(); maps.remove_prefix(std::min(end + 1, maps.size()))) {
    end = std::min(maps.find('\n'), maps.size());
    MappedLibrary library = library_in(maps.substr(0, end));
    std::string name = library.path.substr(library.path.rfind('/') + 1);
    if (name == "libjvm.so") found.libjvm = library;
    if (name.compare(0, 7, "libj9vm") == 0) found.openj9 = true;
    // libhearth.so, under any name that the launcher or hearth.jar gives a copy.
    if (name.find("libhearth") != std::string::npos && ends_with(name, ".so")) found.libhearth = library;
  }
  return found;
}

std::string Jvm::name() const {
  return command.main.empty() ? process.comm : shortened(profile::shown_text(command.main), kMostName);
}

std::optional<Jvm> find_jvm(pid_t pid) {
  Jvm jvm;
  try {
    jvm.process = read_process(pid);
  } catch (const Error&) {
    return std::nullopt;
  }
  jvm.command = parse_java_command(jvm.process.arguments);
  try {
    jvm.libraries = parse_maps(read_file(formatted("/proc/{}/maps", pid), kMostMaps));
  } catch (const Error&) {
    jvm.readable = false;
    if (jvm.process.comm != "java") return std::nullopt;
    return jvm;
  }
  if (!jvm.libraries.libjvm) return std::nullopt;
  return jvm;
}

Jvm require_jvm(pid_t pid) {
  Process process = read_process(pid);
  if (::geteuid() != 0 && ::geteuid() != process.uid)
    throw Error(formatted("process {} belongs to user {}", pid, user_name(process.uid)),
                "run hearth as that user or as root");
  std::optional<Jvm> jvm = find_jvm(pid);
  // A `java` that was started just now may not have loaded its JVM yet.
  for (int tries = 0; !jvm && process.comm == "java" && tries < kStartTries; ++tries) {
    std::this_thread::sleep_for(kStartPause);
    jvm = find_jvm(pid);
  }
  if (!jvm && is_native_image(process))
    throw Error(formatted("process {} ({}) is a GraalVM native image, which has no JVM inside", pid, process.comm),
                "profile the program as it runs with java, or use perf");
  if (!jvm)
    throw Error(formatted("process {} ({}) is not a JVM", pid, process.comm),
                "hearth list shows the JVMs of this machine");
  if (!jvm->readable)
    throw Error(formatted("the kernel does not let this user inspect process {}", pid), "run hearth as root");
  if (jvm->libraries.openj9)
    throw Error(formatted("process {} runs OpenJ9", pid),
                "hearth works in HotSpot only: run the program with an OpenJDK build of HotSpot");
  return *jvm;
}

std::string version_in_release(std::string_view release) {
  std::istringstream lines{std::string(release.substr(0, kMostRelease))};
  constexpr std::string_view kKey = "JAVA_VERSION=\"";
  for (std::string line; std::getline(lines, line);) {
    if (line.compare(0, kKey.size(), kKey) != 0) continue;
    std::string version = line.substr(kKey.size(), line.find('"', kKey.size()) - kKey.size());
    auto is_of_version = [](unsigned char c) {
      return std::isalnum(c) != 0 || c == '.' || c == '_' || c == '+' || c == '-';
    };
    bool is_version = version.size() <= kMostVersion && std::all_of(version.begin(), version.end(), is_of_version);
    return is_version ? version : "";
  }
  return "";
}

std::string java_version(const Jvm& jvm) {
  if (!jvm.libraries.libjvm) return "?";
  UniqueFd root = root_of(jvm.process);
  if (!root) return "?";
  try {
    return run_as(
        jvm.process, [&] { return version_above(root.get(), jvm.libraries.libjvm->path); }, kListPatience);
  } catch (const Error&) {
    return "?";
  }
}

ControlAddress control_address(const Jvm& jvm) {
  if (!jvm.libraries.libhearth) return {};
  SocketNumbers sockets;
  std::string address;
  std::error_code error;  // the process may end meanwhile
  std::filesystem::directory_iterator link(formatted("/proc/{}/fd", jvm.process.pid), error);
  for (; !error && link != std::filesystem::directory_iterator(); link.increment(error)) {
    std::error_code closed;
    std::string file = std::filesystem::read_symlink(link->path(), closed);
    if (std::optional<uint64_t> number = socket_number(file)) sockets.insert(*number);
    if (std::string_view shown = advertised_address(file); !shown.empty() && address.empty()) address = shown;
  }
  // Any process can create such a file, and its name is printed on a terminal.
  if (profile::shown_text(address) != address) return {};
  return {address, !address.empty() && listens_at(jvm.process.pid, address, sockets)};
}

std::vector<std::string> all_options(const Jvm& jvm) {
  std::vector<std::string> environment;
  try {
    environment = words_in(formatted("/proc/{}/environ", jvm.process.pid));
  } catch (const Error&) {
    environment.clear();  // not readable: uses the command line alone
  }
  return jvm_options(jvm.command, environment);
}

}  // namespace hearth::launcher
