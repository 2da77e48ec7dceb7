// The JVMs of this machine.
#pragma once

#include <string>
#include <vector>

#include "launcher/attach/jvm.h"

namespace hearth::launcher {

// All that can be told to be one, containers' included, by rising pid.
std::vector<Jvm> find_jvms();

// The pid that `target` means: a number, or a part of what exactly one JVM runs (the whole name wins over a part).
// Throws Error that lists the candidates, or what there is when none fits.
pid_t resolve_target(const std::string& target);
pid_t pid_by_name(const std::string& target, const std::vector<Jvm>& jvms);

// One line a JVM under a line of headings: pid, user, Java version, whether hearth is loaded, where
// its control server listens, what it runs.
std::string jvm_table(const std::vector<Jvm>& jvms);

}  // namespace hearth::launcher
