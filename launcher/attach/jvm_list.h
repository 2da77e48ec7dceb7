// The JVMs of this machine.
#pragma once

#include <string>
#include <vector>

#include "launcher/attach/jvm.h"

namespace hearth::launcher {

// All processes that are recognisable as JVMs, including those in containers, by rising pid.
std::vector<Jvm> find_jvms();

// The pid of `target`: a number, or a part of the name of exactly one JVM (the whole name takes precedence over a
// part). Throws Error that lists the candidates, or all JVMs if none matches.
pid_t resolve_target(const std::string& target);
pid_t pid_by_name(const std::string& target, const std::vector<Jvm>& jvms);

// One line per JVM under a line of headings: pid, user, Java version, whether hearth is loaded, the address of its
// control server, its name.
std::string jvm_table(const std::vector<Jvm>& jvms);

}  // namespace hearth::launcher
