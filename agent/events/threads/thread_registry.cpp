#include "events/threads/thread_registry.h"

#include <utility>

namespace hearth::events {

using capture::ThreadSlot;

// Visits adopted slots that add() did not take over. `visit` gets slot and tid, and may free the slot.
template <typename Visit>
void ThreadRegistry::visit_adopted(Visit visit) const {
  if (table_.adopted() == 0) return;
  uint32_t used = table_.used();
  for (ThreadSlot* slot = slots(); slot < slots() + used; slot++) {
    int tid = slot->tid.load(std::memory_order_acquire);
    // NOLINTNEXTLINE(clang-analyzer-unix.Malloc): the table keeps the memory of freed slots.
    if (tid != 0 && slot->is_adopted && find(tid) != slot) visit(slot, tid);
  }
}

void ThreadRegistry::retire(int tid) {
  visit_adopted([&](ThreadSlot* slot, int its_tid) {
    if (its_tid != tid) return;
    known(*slot) = {tid, name_of(tid)};
    table_.count_adopted(-1);
    table_.free(slot);
  });
}

std::vector<int> ThreadRegistry::adopted_tids() const {
  std::vector<int> tids;
  visit_adopted([&](ThreadSlot*, int tid) { tids.push_back(tid); });
  return tids;
}

ThreadSlot* ThreadRegistry::add(int tid) {
  ThreadSlot* slot = nullptr;
  visit_adopted([&](ThreadSlot* adopted, int its_tid) {
    if (its_tid == tid) slot = adopted;
  });
  if (slot != nullptr) {
    table_.count_adopted(-1);
  } else {
    slot = table_.take(tid);
  }
  if (slot == nullptr) return nullptr;
  by_tid_[tid] = slot;
  known(*slot).tid = tid;
  return slot;
}

void ThreadRegistry::remove(ThreadSlot* slot) {
  by_tid_.erase(slot->tid);
  table_.free(slot);
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
  all.resize(table_.next_serial());
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
  uint32_t used = table_.used();
  for (ThreadSlot* slot = slots(); slot < slots() + used; slot++) {
    slot->allocated = {};
    slot->own_points = {};
    slot->sample_point_known = false;
  }
}

// An adopted slot stays with its thread: samples have its serial.
void ThreadRegistry::take_back(ThreadSlot* slot) {
  uint32_t serial = slot->serial;
  if (slot->is_adopted) {
    threads_[serial] = {};
    by_tid_.erase(slot->tid);
    table_.count_adopted(1);
    return;
  }
  remove(slot);
  if (table_.take_back_serial(serial)) threads_.pop_back();
}

}  // namespace hearth::events
