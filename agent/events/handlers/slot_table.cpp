#include "events/handlers/slot_table.h"

#include "events/handlers/cpu_handlers.h"

namespace hearth::events {

using capture::ThreadSlot;

static_assert(SlotTable::kMaxThreads == CpuSampling::kMaxSlots);

SlotTable::SlotTable()
    : memory_(Mapping::reserved(kMaxThreads * sizeof(ThreadSlot))),
      stack_cache_memory_(Mapping::reserved(kMaxStackCaches * sizeof(capture::StackCache))) {}

uint32_t SlotTable::used() const {
  uint32_t used = used_.load(std::memory_order_acquire);
  return used < kMaxThreads ? used : kMaxThreads;
}

ThreadSlot* SlotTable::fresh_slot() {
  uint32_t index = used_.fetch_add(1, std::memory_order_relaxed);
  if (!memory_ || index >= kMaxThreads) return nullptr;
  // The memory is zero already; constructors would only touch it again.
  ThreadSlot* slot = slots() + index;
  if (stack_cache_memory_ && index < kMaxStackCaches)
    slot->stack_cache = stack_cache_memory_.as<capture::StackCache>() + index;
  return slot;
}

ThreadSlot* SlotTable::pop_free() {
  uint64_t last = free_.load(std::memory_order_acquire);
  while (static_cast<uint32_t>(last) != 0) {
    ThreadSlot* slot = slots() + static_cast<uint32_t>(last) - 1;
    uint64_t before = ((last >> 32) + 1) << 32 | slot->next_free.load(std::memory_order_relaxed);
    if (!free_.compare_exchange_weak(last, before, std::memory_order_acq_rel, std::memory_order_acquire)) continue;
    slot->last_count = 0;
    slot->throttled_until = 0;
    slot->allocated = {};
    slot->own_points = {};
    slot->sample_point_known = false;
    slot->left_out = false;
    if (slot->stack_cache != nullptr) slot->stack_cache->checkpoint_count = 0;
    slot->root_cache.forget();
    return slot;
  }
  return nullptr;
}

void SlotTable::free(ThreadSlot* slot) {
  slot->tid = 0;
  auto place = static_cast<uint64_t>(slot - slots()) + 1;
  uint64_t last = free_.load(std::memory_order_relaxed);
  do {
    slot->next_free.store(static_cast<uint32_t>(last), std::memory_order_relaxed);
  } while (!free_.compare_exchange_weak(last, ((last >> 32) + 1) << 32 | place, std::memory_order_acq_rel,
                                        std::memory_order_relaxed));
}

ThreadSlot* SlotTable::take(int tid, bool is_adopted) {
  ThreadSlot* slot = pop_free();
  if (slot == nullptr) slot = fresh_slot();
  if (slot == nullptr) return nullptr;
  slot->serial = next_serial_.fetch_add(1, std::memory_order_acq_rel);
  slot->is_adopted = is_adopted;
  if (is_adopted) count_adopted(1);
  slot->tid.store(tid, std::memory_order_release);  // last: seek() returns the slot from here on
  return slot;
}

bool SlotTable::take_back_serial(uint32_t serial) {
  uint32_t after = serial + 1;
  return next_serial_.compare_exchange_strong(after, serial);
}

ThreadSlot* SlotTable::seek(int tid) const {
  ThreadSlot* slot = slots();
  for (ThreadSlot* end = slot + used(); slot != end; slot++) {
    if (slot->tid.load(std::memory_order_acquire) == tid) return slot;
  }
  return nullptr;
}

}  // namespace hearth::events
