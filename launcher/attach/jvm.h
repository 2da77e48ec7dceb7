// A process that is a Java virtual machine, and what is loaded in it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "launcher/attach/process.h"
#include "launcher/commands/java_command.h"

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

  // What it runs: main class or jar, or the process's short name. Printable, and not too long for a terminal.
  std::string name() const;
};

// Nothing when the process is not a JVM. Throws nothing: a process that ends meanwhile is not a JVM either.
std::optional<Jvm> find_jvm(pid_t pid);

// The same for a process that a person named. Throws Error when it is none, when it belongs to another user and the
// launcher is not root, or when it is a JVM that hearth cannot work in.
Jvm require_jvm(pid_t pid);

// JAVA_VERSION in the text of a JDK's file `release`; empty when it is not there, or is no version.
std::string version_in_release(std::string_view release);

// JAVA_VERSION of the `release` file of the JVM's home; "?" when it cannot be read.
std::string java_version(const Jvm& jvm);

struct ControlAddress {
  std::string text;          // http://HOST:PORT/ or unix:PATH; empty when there is none, or for another user
  bool is_verified = false;  // a socket of the process listens there
};

// Where its control server listens, as the process itself shows it.
ControlAddress control_address(const Jvm& jvm);

// Every option given to the JVM, those of its environment included.
std::vector<std::string> all_options(const Jvm& jvm);

}  // namespace hearth::launcher
