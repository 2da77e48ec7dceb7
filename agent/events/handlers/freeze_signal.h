// A signal by which somebody asks the flight recorder to keep what has just been. Signal safe.
#pragma once

#include <csignal>
#include <cstdint>

namespace hearth::events {

void on_freeze_signal(int, siginfo_t*, void*);
uint64_t freeze_signals();  // that have come until now; any thread

}  // namespace hearth::events
