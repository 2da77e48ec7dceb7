// Where the JVM finds the agent: the launcher's own libhearth.so, or a copy of it where the JVM can see one.
#pragma once

#include <string>

#include "launcher/attach/jvm.h"

namespace hearth::launcher {

// The path of libhearth.so that `libpath` names, or of the one beside the launcher, for a program that the launcher
// starts. Throws Error when there is none.
std::string local_agent_library(const std::string& libpath);

// The path of libhearth.so as the JVM sees it. `libpath` is what a person gave (a path that the JVM sees, or else one
// of the launcher's); empty: ../lib/libhearth.so beside the launcher. A JVM that cannot see or read that file (another
// container, another user) gets a copy in its /tmp, named by version and content and used again the next time. A JVM
// that has a hearth already keeps it; when that is another build, or when no place can hold the copy, Error is thrown.
std::string place_agent_library(const Jvm& jvm, const std::string& libpath, bool verbose);

}  // namespace hearth::launcher
