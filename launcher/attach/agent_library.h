// Finds the agent for the JVM: the launcher's own libhearth.so, or a copy where the JVM can see it.
#pragma once

#include <string>

#include "launcher/attach/jvm.h"

namespace hearth::launcher {

// The path of the libhearth.so that `libpath` names, or of the one next to the launcher, for a program that the
// launcher starts. Throws Error if there is none.
std::string local_agent_library(const std::string& libpath);

struct PlacedLibrary {
  std::string path;          // as the JVM sees it
  bool is_new_copy = false;  // made by this launcher
};

// libhearth.so for the JVM. `libpath` is the user's choice (a path that the JVM sees, or else one of the launcher's);
// empty: ../lib/libhearth.so next to the launcher. A JVM that cannot see or read that file (another container, another
// user) gets a copy in its /tmp, named by version and content and reused the next time. A JVM that has loaded a hearth
// keeps it. Throws Error if that is another build, if the file is for another processor than the JVM, or if the copy
// cannot be written.
PlacedLibrary place_agent_library(const Jvm& jvm, const std::string& libpath, bool verbose);

// Removes a copy that the JVM cannot load; does nothing if it was there before.
void remove_new_copy(const Process& process, const PlacedLibrary& library);

}  // namespace hearth::launcher
