// The calling thread's slot, in hooks of all kinds, which share a cache: space for variables of threads is scarce.
// Signal safe.
#pragma once

#include "events/handlers/hook_places.h"

namespace hearth::events {

// `number`: as HookKind says. Null: the thread is not sampled.
capture::ThreadSlot* slot_of_hook(uint64_t number, const SlotsByThread& slots);
inline capture::ThreadSlot* slot_of_hook(const HookSampling& sampling) {
  return slot_of_hook(sampling.number, sampling.slots_by_thread);
}

}  // namespace hearth::events
