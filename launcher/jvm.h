// A process that is a Java virtual machine, and what is loaded in it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "java_command.h"
#include "process.h"

namespace hearth::launcher {

// A library mapped into a process, by the path that the process knows.
struct MappedLibrary {
  std::string path;
  bool replaced = false;  // the file behind the path is no longer the one that is mapped
};

struct MappedLibraries {
  std::optional<MappedLibrary> libjvm;
  std::optional<MappedLibrary> libhearth;
  bool openj9 = false;
};

// From the text of /proc/PID/maps.
MappedLibraries parse_maps(std::string_view maps);

struct Jvm {
  Process process;
  JavaCommand command;
  MappedLibraries libraries;
  bool readable = true;  // false: another user's; then `libraries` is empty and it is a JVM by its name only

  std::string name() const;  // what it runs, for a person: main class or jar, or the process's short name
};

// Nothing when the process is not a JVM. Throws nothing: a process that ends meanwhile is not a JVM either.
std::optional<Jvm> find_jvm(pid_t pid);

// The same for a process that a person named. Throws Error when it is none, when it belongs to another user and the
// launcher is not root, or when it is a JVM that hearth cannot work in.
Jvm require_jvm(pid_t pid);

// JAVA_VERSION in the text of a JDK's file `release`; empty when it is not there.
std::string version_in_release(std::string_view release);

// JAVA_VERSION of the `release` file of the JVM's home; "?" when it cannot be read.
std::string java_version(const Jvm& jvm);

// Where its control server listens: http://HOST:PORT/ or unix:PATH; empty when it does not, or another user may not
// know.
std::string control_address(const Jvm& jvm);

// Every option given to the JVM, those of its environment included.
std::vector<std::string> all_options(const Jvm& jvm);

}  // namespace hearth::launcher
