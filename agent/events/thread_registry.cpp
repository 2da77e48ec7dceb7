#include "events/thread_registry.h"

#include <sys/mman.h>

#include <algorithm>

#include "events/handlers/cpu_handlers.h"

namespace hearth::events {

using capture::ThreadSlot;

static_assert(ThreadRegistry::kMaxThreads == CpuSampling::kMaxSlots);

namespace {

// Zero, and touched when it is used.
Mapping reserve(size_t bytes) {
  return Mapping(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0),
                 bytes);
}

}  // namespace

ThreadRegistry::ThreadRegistry()
    : memory_(reserve(kMaxThreads * sizeof(ThreadSlot))),
      stack_memory_(reserve(kMaxRemembered * sizeof(capture::StackMemory))) {}

ThreadSlot* ThreadRegistry::fresh_slot(int tid) {
  uint32_t index = used_.fetch_add(1, std::memory_order_relaxed);
  if (!memory_ || index >= kMaxThreads) return nullptr;
  // The memory is zero already; constructing the arrays again would only touch it.
  ThreadSlot* slot = memory_.as<ThreadSlot>() + index;
  slot->serial = next_serial_.fetch_add(1, std::memory_order_acq_rel);
  slot->fd = -1;
  slot->in_first_period = true;
  if (stack_memory_ && index < kMaxRemembered) slot->memory = stack_memory_.as<capture::StackMemory>() + index;
  slot->tid.store(tid, std::memory_order_release);  // last: seek() gives out what it finds
  return slot;
}

ThreadSlot* ThreadRegistry::adopt(int tid) {
  return fresh_slot(tid);
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
  if (free_.empty()) {
    slot = fresh_slot(tid);
    if (slot == nullptr) return nullptr;
  } else {
    slot = free_.back();
    free_.pop_back();
    slot->serial = next_serial_.fetch_add(1, std::memory_order_acq_rel);
    slot->fd = -1;
    slot->kernel_ring = nullptr;
    slot->last_count = 0;
    slot->rests_until = 0;
    slot->allocated = {};
    slot->in_first_period = true;
    slot->left_out = false;
    if (slot->memory != nullptr) slot->memory->mark_count = 0;
    slot->roots.slot_count = 0;
    slot->roots.outermost_method = 0;
    slot->tid.store(tid, std::memory_order_release);
  }
  by_tid_[tid] = slot;
  threads_.resize(slot->serial + 1);
  threads_[slot->serial].tid = tid;
  return slot;
}

void ThreadRegistry::remove(ThreadSlot* slot) {
  by_tid_.erase(slot->tid);
  slot->tid = 0;
  free_.push_back(slot);
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

std::vector<ThreadRegistry::Thread> ThreadRegistry::threads() const {
  std::vector<Thread> all = threads_;
  all.resize(next_serial_.load(std::memory_order_acquire));
  // A thread adopted inside a signal is known by its slot alone; such slots are never given away.
  uint32_t used = std::min(used_.load(std::memory_order_acquire), kMaxThreads);
  for (uint32_t i = 0; i < used; i++) {
    const ThreadSlot& slot = memory_.as<ThreadSlot>()[i];
    if (slot.serial >= all.size() || all[slot.serial].tid != 0) continue;
    auto name = names_.find(slot.tid);
    all[slot.serial] = {slot.tid, name == names_.end() ? "" : name->second};
  }
  return all;
}

void ThreadRegistry::set_name(int tid, std::string name) {
  if (const ThreadSlot* slot = find(tid)) {
    threads_[slot->serial].name = std::move(name);
  } else {
    names_[tid] = std::move(name);
  }
}

void ThreadRegistry::take_back(ThreadSlot* slot) {
  uint32_t serial = slot->serial;
  uint32_t serial_after = serial + 1;
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
