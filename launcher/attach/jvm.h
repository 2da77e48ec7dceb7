// A process that is a Java virtual machine, and the libraries loaded in it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "launcher/attach/process.h"
#include "launcher/commands/java_command.h"

namespace hearth::launcher {

// A library mapped into a process, by its path as the process sees it.
struct MappedLibrary {
  std::string path;
  bool replaced = false;  // the path now leads to another file than the mapped one
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
  bool readable = true;  // false: another user's; `libraries` is empty, and only its name shows that it is a JVM

  // Main class or jar that it runs, or the process's short name. Printable, and limited in length.
  std::string name() const;
};

// Empty if the process is not a JVM. Does not throw: a process that ends meanwhile is not a JVM either.
std::optional<Jvm> find_jvm(pid_t pid);

// Like find_jvm(), for a process that the user named. Throws Error if it is not a JVM, if it belongs to another user
// and the launcher is not root, or if hearth does not support that JVM.
Jvm require_jvm(pid_t pid);

// JAVA_VERSION in the text of a JDK's file `release`; empty if it is missing or not a version.
std::string version_in_release(std::string_view release);

// JAVA_VERSION in the `release` file of the JVM's home; "?" if it cannot be read.
std::string java_version(const Jvm& jvm);

struct ControlAddress {
  std::string text;          // http://HOST:PORT/ or unix:PATH; empty if there is none, or for another user
  bool is_verified = false;  // a socket of the process listens there
};

// The address of its control server, as published by the process itself.
ControlAddress control_address(const Jvm& jvm);

// All options of the JVM, including those of its environment.
std::vector<std::string> all_options(const Jvm& jvm);

}  // namespace hearth::launcher
