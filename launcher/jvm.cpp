#include "jvm.h"

#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <sstream>
#include <thread>

#include "base/address_sign.h"
#include "base/error.h"
#include "base/files.h"
#include "base/formatted.h"
#include "namespaces.h"

namespace hearth::launcher {
namespace {

constexpr std::string_view kReplaced = " (deleted)";
constexpr int kStartTries = 50;
constexpr std::chrono::milliseconds kStartPause{20};

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

// The path at the end of a line of /proc/PID/maps; empty when the mapping has no file.
MappedLibrary library_in(const std::string& line) {
  size_t slash = line.find('/');
  if (slash == std::string::npos) return {};
  std::string path = line.substr(slash);
  bool replaced = ends_with(path, kReplaced);
  if (replaced) path.resize(path.size() - kReplaced.size());
  return {path, replaced};
}

}  // namespace

MappedLibraries parse_maps(std::string_view maps) {
  MappedLibraries found;
  std::istringstream lines{std::string(maps)};
  for (std::string line; std::getline(lines, line);) {
    MappedLibrary library = library_in(line);
    std::string name = library.path.substr(library.path.rfind('/') + 1);
    if (name == "libjvm.so") found.libjvm = library;
    if (name.compare(0, 7, "libj9vm") == 0) found.openj9 = true;
    // libhearth.so under any name that the launcher or hearth.jar gives to a copy.
    if (name.find("libhearth") != std::string::npos && ends_with(name, ".so")) found.libhearth = library;
  }
  return found;
}

std::string Jvm::name() const {
  return command.main.empty() ? process.comm : command.main;
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
    jvm.libraries = parse_maps(read_file(formatted("/proc/{}/maps", pid)));
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
  // A `java` that was started this instant has not loaded its JVM yet.
  for (int tries = 0; !jvm && process.comm == "java" && tries < kStartTries; ++tries) {
    std::this_thread::sleep_for(kStartPause);
    jvm = find_jvm(pid);
  }
  if (!jvm)
    throw Error(formatted("process {} ({}) is not a JVM", pid, process.comm),
                "hearth list shows the JVMs of this machine");
  if (!jvm->readable)
    throw Error(formatted("the kernel does not let this user look into process {}", pid), "run hearth as root");
  if (jvm->libraries.openj9) throw Error(formatted("process {} runs OpenJ9", pid), "hearth works in HotSpot JVMs only");
  return *jvm;
}

std::string version_in_release(std::string_view release) {
  std::istringstream lines{std::string(release)};
  constexpr std::string_view kKey = "JAVA_VERSION=\"";
  for (std::string line; std::getline(lines, line);) {
    if (line.compare(0, kKey.size(), kKey) == 0) return line.substr(kKey.size(), line.rfind('"') - kKey.size());
  }
  return "";
}

std::string java_version(const Jvm& jvm) {
  if (!jvm.libraries.libjvm) return "?";
  std::string folder = jvm.libraries.libjvm->path;
  constexpr int kDeepest = 5;  // JDK 8: jre/lib/amd64/server/libjvm.so
  for (int level = 0; level < kDeepest; ++level) {
    folder.resize(folder.rfind('/') == std::string::npos ? 0 : folder.rfind('/'));
    std::string version = version_in_release(read_file_in(jvm.process, folder + "/release"));
    if (!version.empty()) return version;
  }
  return "?";
}

std::string control_address(const Jvm& jvm) {
  if (!jvm.libraries.libhearth) return "";
  std::error_code error;  // it may end meanwhile
  std::filesystem::directory_iterator link(formatted("/proc/{}/fd", jvm.process.pid), error);
  for (; !error && link != std::filesystem::directory_iterator(); link.increment(error)) {
    std::error_code closed;
    std::string file = std::filesystem::read_symlink(link->path(), closed);
    if (std::string_view address = shown_address(file); !address.empty()) return std::string(address);
  }
  return "";
}

std::vector<std::string> all_options(const Jvm& jvm) {
  std::vector<std::string> environment;
  try {
    environment = split_words(read_file(formatted("/proc/{}/environ", jvm.process.pid)));
  } catch (const Error&) {
    environment.clear();  // not readable: the command line alone has to do
  }
  return jvm_options(jvm.command, environment);
}

}  // namespace hearth::launcher
