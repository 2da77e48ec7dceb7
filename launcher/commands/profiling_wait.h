// Waits while a JVM is profiled.
#pragma once

#include <chrono>

#include "launcher/attach/jvm.h"
#include "launcher/commands/interrupts.h"

namespace hearth::launcher {

enum class End { kTime, kInterrupt, kJvm };

struct Waited {
  End end;
  std::chrono::milliseconds passed;
};

// Until the time is over, an interrupt comes or the JVM ends; shows the progress on a terminal.
Waited wait_while_profiling(const Jvm& jvm, std::chrono::milliseconds duration, Interrupts* interrupts);

}  // namespace hearth::launcher
