// The calling thread's slot, in hooks of all kinds, which share a cache: space for variables of threads is scarce.
// Signal safe.
#pragma once

#include "events/handlers/hook_places.h"

namespace hearth::events {

// Null: the thread is not sampled.
capture::ThreadSlot* slot_of_hook(const HookSampling& sampling);

}  // namespace hearth::events
