#include "events/handlers/hook_slot.h"

namespace hearth::events {
namespace {

thread_local CachedSlot t_known = {0, nullptr, 0};

}  // namespace

capture::ThreadSlot* slot_of_hook(const HookSampling& sampling) {
  return slot_of_this_thread(sampling.number, sampling.slots_by_thread, &t_known);
}

}  // namespace hearth::events
