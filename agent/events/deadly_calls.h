// Check of event sources before system calls for which a seccomp filter may end the JVM.
#pragma once

#include <initializer_list>

#include "base/error.h"
#include "base/formatted.h"
#include "base/seccomp.h"

namespace hearth::events {

// Throws Error if one of the calls would end the process, or may; `name` is that of the call to allow.
inline void refuse_deadly(std::initializer_list<long> system_calls, const char* name) {
  Survival survival = survival_of(system_calls);
  if (survival == Survival::kUnknown)
    throw Error(formatted("cannot make the process that tries {} under the seccomp filter", name),
                "raise the limit of processes (RLIMIT_NPROC, or pids of the container)");
  if (survival == Survival::kNo)
    throw Error(formatted("a seccomp filter would end this process for {}", name),
                formatted("let the filter allow {}, or answer EPERM (systemd: SystemCallErrorNumber=EPERM)", name));
}

}  // namespace hearth::events
