#include "events/thread_registry.h"

#include <algorithm>

#include "events/handlers/cpu_handlers.h"

namespace hearth::events {

using capture::ThreadSlot;

static_assert(ThreadRegistry::kMaxThreads == CpuSampling::kMaxSlots);

ThreadRegistry::ThreadRegistry()
    : memory_(Mapping::reserved(kMaxThreads * sizeof(ThreadSlot))),
      stack_memory_(Mapping::reserved(kMaxRemembered * sizeof(capture::StackMemory))) {}

ThreadSlot* ThreadRegistry::fresh_slot() {
  uint32_t index = used_.fetch_add(1, std::memory_order_relaxed);
  if (!memory_ || index >= kMaxThreads) return nullptr;
  // The memory is zero already; constructing the arrays again would only touch it.
  ThreadSlot* slot = slots() + index;
  if (stack_memory_ && index < kMaxRemembered) slot->memory = stack_memory_.as<capture::StackMemory>() + index;
  return slot;
}

ThreadSlot* ThreadRegistry::pop_free() {
  uint64_t last = free_.load(std::memory_order_acquire);
  while (static_cast<uint32_t>(last) != 0) {
    ThreadSlot* slot = slots() + static_cast<uint32_t>(last) - 1;
    uint64_t before = ((last >> 32) + 1) << 32 | slot->next_free.load(std::memory_order_relaxed);
    if (!free_.compare_exchange_weak(last, before, std::memory_order_acq_rel, std::memory_order_acquire)) continue;
    slot->last_count = 0;
    slot->kernel_ring = nullptr;
    slot->rests_until = 0;
    slot->allocated = {};
    slot->drew_sample_point = false;
    slot->left_out = false;
    if (slot->memory != nullptr) slot->memory->mark_count = 0;
    slot->roots.forget();
    return slot;
  }
  return nullptr;
}

void ThreadRegistry::push_free(ThreadSlot* slot) {
  slot->tid = 0;
  auto place = static_cast<uint64_t>(slot - slots()) + 1;
  uint64_t last = free_.load(std::memory_order_relaxed);
  do {
    slot->next_free.store(static_cast<uint32_t>(last), std::memory_order_relaxed);
  } while (!free_.compare_exchange_weak(last, ((last >> 32) + 1) << 32 | place, std::memory_order_acq_rel,
                                        std::memory_order_relaxed));
}

ThreadSlot* ThreadRegistry::take_slot(int tid, bool is_adopted) {
  ThreadSlot* slot = pop_free();
  if (slot == nullptr) slot = fresh_slot();
  if (slot == nullptr) return nullptr;
  slot->serial = next_serial_.fetch_add(1, std::memory_order_acq_rel);
  slot->fd = -1;
  slot->in_first_period = true;
  slot->is_adopted = is_adopted;
  if (is_adopted) adopted_.fetch_add(1, std::memory_order_relaxed);
  slot->tid.store(tid, std::memory_order_release);  // last: seek() gives out what it finds
  return slot;
}

ThreadSlot* ThreadRegistry::adopt(int tid) {
  return take_slot(tid, true);
}

// Those not taken over. `visit` is told slot and tid, and may free the slot.
template <typename Visit>
void ThreadRegistry::visit_adopted(Visit visit) const {
  if (adopted_.load(std::memory_order_relaxed) == 0) return;
  uint32_t used = std::min(used_.load(std::memory_order_acquire), kMaxThreads);
  for (ThreadSlot* slot = slots(); slot < slots() + used; slot++) {
    int tid = slot->tid.load(std::memory_order_acquire);
    if (tid != 0 && slot->is_adopted && find(tid) != slot) visit(slot, tid);
  }
}

void ThreadRegistry::retire(int tid) {
  visit_adopted([&](ThreadSlot* slot, int its_tid) {
    if (its_tid != tid) return;
    known(*slot) = {tid, name_of(tid)};
    adopted_.fetch_sub(1, std::memory_order_relaxed);
    push_free(slot);
  });
}

std::vector<int> ThreadRegistry::adopted_tids() const {
  std::vector<int> tids;
  visit_adopted([&](ThreadSlot*, int tid) { tids.push_back(tid); });
  return tids;
}

ThreadSlot* ThreadRegistry::seek(int tid) const {
  uint32_t used = std::min(used_.load(std::memory_order_acquire), kMaxThreads);
  ThreadSlot* slots = memory_.as<ThreadSlot>();
  for (uint32_t i = 0; i < used; i++) {
    if (slots[i].tid.load(std::memory_order_acquire) == tid) return slots + i;
  }
  return nullptr;
}

ThreadSlot* ThreadRegistry::add(int tid) {
  ThreadSlot* slot = nullptr;
  visit_adopted([&](ThreadSlot* adopted, int its_tid) {
    if (its_tid == tid) slot = adopted;
  });
  if (slot != nullptr) {
    adopted_.fetch_sub(1, std::memory_order_relaxed);
  } else {
    slot = take_slot(tid, false);
  }
  if (slot == nullptr) return nullptr;
  by_tid_[tid] = slot;
  known(*slot).tid = tid;
  return slot;
}

void ThreadRegistry::remove(ThreadSlot* slot) {
  by_tid_.erase(slot->tid);
  push_free(slot);
}

ThreadSlot* ThreadRegistry::find(int tid) const {
  auto found = by_tid_.find(tid);
  return found == by_tid_.end() ? nullptr : found->second;
}

std::vector<ThreadSlot*> ThreadRegistry::live() const {
  std::vector<ThreadSlot*> slots;
  slots.reserve(by_tid_.size());
  for (const auto& entry : by_tid_) slots.push_back(entry.second);
  return slots;
}

ThreadRegistry::Thread& ThreadRegistry::known(const ThreadSlot& slot) {
  if (slot.serial >= threads_.size()) threads_.resize(slot.serial + 1);
  return threads_[slot.serial];
}

std::string ThreadRegistry::name_of(int tid) const {
  if (const ThreadSlot* slot = find(tid)) return threads_[slot->serial].name;
  auto name = names_.find(tid);
  return name == names_.end() ? "" : name->second;
}

std::vector<ThreadRegistry::Thread> ThreadRegistry::threads() const {
  std::vector<Thread> all = threads_;
  all.resize(next_serial_.load(std::memory_order_acquire));
  visit_adopted([&](const ThreadSlot* slot, int tid) {
    if (slot->serial < all.size()) all[slot->serial] = {tid, name_of(tid)};
  });
  return all;
}

void ThreadRegistry::set_name(int tid, std::string name) {
  if (const ThreadSlot* slot = find(tid)) {
    threads_[slot->serial].name = std::move(name);
  } else {
    names_[tid] = std::move(name);
  }
}

void ThreadRegistry::forget_allocations() {
  uint32_t used = std::min(used_.load(std::memory_order_acquire), kMaxThreads);
  for (ThreadSlot* slot = slots(); slot < slots() + used; slot++) {
    slot->allocated = {};
    slot->drew_sample_point = false;
  }
}

// An adopted slot stays with its thread: samples have its serial.
void ThreadRegistry::take_back(ThreadSlot* slot) {
  uint32_t serial = slot->serial;
  uint32_t serial_after = serial + 1;
  if (slot->is_adopted) {
    threads_[serial] = {};
    by_tid_.erase(slot->tid);
    adopted_.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  remove(slot);
  if (next_serial_.compare_exchange_strong(serial_after, serial)) threads_.pop_back();
}

ThreadSlot* seek_slot(void* registry, int tid) {
  return static_cast<const ThreadRegistry*>(registry)->seek(tid);
}

ThreadSlot* adopt_slot(void* registry, int tid) {
  return static_cast<ThreadRegistry*>(registry)->adopt(tid);
}

ThreadSlot* seek_or_adopt_slot(void* registry, int tid) {
  ThreadSlot* slot = seek_slot(registry, tid);
  return slot != nullptr ? slot : adopt_slot(registry, tid);
}

}  // namespace hearth::events
