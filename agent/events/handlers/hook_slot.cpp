#include "events/handlers/hook_slot.h"

namespace hearth::events {
namespace {

thread_local CachedSlot t_known = {0, nullptr, 0};

}  // namespace

capture::ThreadSlot* slot_of_hook(uint64_t number, const SlotsByThread& slots) {
  return slot_of_this_thread(number, slots, &t_known);
}

}  // namespace hearth::events
