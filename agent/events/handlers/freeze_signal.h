// A signal by which somebody asks the flight recorder to keep what has just been. Signal safe.
#pragma once

#include <cstdint>

#include "capture/signal_safe.h"

namespace hearth::events {

extern const capture::SignalHandler kFreezeSignalHandler;
uint64_t freeze_signals();  // that have come until now; any thread

}  // namespace hearth::events
