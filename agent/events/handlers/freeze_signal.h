// A signal that makes the flight recorder keep the recent past. Signal safe.
#pragma once

#include <cstdint>

#include "capture/signal_safe.h"

namespace hearth::events {

extern const capture::SignalHandler kFreezeSignalHandler;
uint64_t freeze_signals();  // number received so far; any thread

}  // namespace hearth::events
