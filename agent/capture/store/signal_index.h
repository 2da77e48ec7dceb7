// A hash index of ids for signal handlers; the values are in the caller's array. find() and insert() are signal safe
// and lock free; grow() and the destructor are for one ordinary thread. Ids are not 0.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/owned.h"

namespace hearth::capture {

// Maps the pages in advance: a page fault inside a handler costs tens of microseconds. A failure only costs time.
void touch_memory(void* from, size_t bytes);

class SignalIndex {
 public:
  SignalIndex();

  bool ok() const { return count_ > 0; }  // false: there was no memory

  // Returns the id for which `is_wanted(id)` is true; 0: none.
  template <typename IsWanted>
  uint32_t find(uint32_t hash, const IsWanted& is_wanted) const {
    int newest = count_.load(std::memory_order_acquire) - 1;
    int oldest = oldest_in_use_.load(std::memory_order_acquire);
    for (int i = newest; i >= oldest; i--) {
      uint32_t id = find_in(tables_[i], hash, is_wanted);
      if (id != 0) return id;
    }
    return 0;
  }

  // Inserts `mine` and returns the id that is in the table afterwards: another thread may be faster. If the table is
  // crowded until grow() is called, `mine` is not inserted: then its value is not found, and stored again each time.
  template <typename IsWanted>
  uint32_t insert(uint32_t hash, uint32_t mine, const IsWanted& is_wanted) {
    return insert_in(&tables_[count_.load(std::memory_order_acquire) - 1], hash, mine, is_wanted);
  }

  // Makes a larger table if `values` fill more than half of the newest. `enter_all(enter)` calls
  // enter(hash, id, is_wanted) for all existing values. It must count them only then: values that are created later are
  // inserted into the new table by their creator.
  template <typename EnterAll>
  void grow(uint32_t values, const EnterAll& enter_all) {
    int newest = count_.load(std::memory_order_relaxed) - 1;
    if (newest < 0 || values <= tables_[newest].mask / 2) return;
    uint64_t slots = uint64_t{tables_[newest].mask} + 1;
    while (values > slots / 2) slots *= 2;
    if (slots > kMaxSlots || !add_table(static_cast<uint32_t>(slots))) return;
    enter_all([this, newest](uint32_t hash, uint32_t id, const auto& is_wanted) {
      insert_in(&tables_[newest + 1], hash, id, is_wanted);
    });
    retire_before(newest + 1);
  }

  // Visits the reserved memory, for measurements.
  template <typename Visit>
  void visit_memory(const Visit& visit) const {
    for (int i = 0; i < count_.load(std::memory_order_acquire); i++) visit(tables_[i].memory);
  }

 private:
  static constexpr int kMaxTables = 18;
  static constexpr uint64_t kMaxSlots = 1U << 31;
  static constexpr uint32_t kMaxProbes = 64;

  struct Table {
    Mapping memory;
    uint32_t mask = 0;  // slots - 1
    std::atomic<uint32_t>* slots() const { return memory.as<std::atomic<uint32_t>>(); }
  };

  template <typename IsWanted>
  static uint32_t find_in(const Table& table, uint32_t hash, const IsWanted& is_wanted) {
    for (uint32_t probe = 0; probe < kMaxProbes; probe++) {
      uint32_t id = table.slots()[(hash + probe) & table.mask].load(std::memory_order_acquire);
      if (id == 0 || is_wanted(id)) return id;
    }
    return 0;
  }

  template <typename IsWanted>
  static uint32_t insert_in(Table* table, uint32_t hash, uint32_t mine, const IsWanted& is_wanted) {
    for (uint32_t probe = 0; probe < kMaxProbes; probe++) {
      std::atomic<uint32_t>& slot = table->slots()[(hash + probe) & table->mask];
      uint32_t id = slot.load(std::memory_order_acquire);
      if (id == 0 && slot.compare_exchange_strong(id, mine, std::memory_order_release, std::memory_order_acquire))
        return mine;
      if (is_wanted(id)) return id;
    }
    return mine;
  }

  bool add_table(uint32_t slots);
  void retire_before(int table);

  // Newest last. While grow() fills a new one, lookups search the older ones, too.
  Table tables_[kMaxTables];
  std::atomic<int> count_{0};
  std::atomic<int> oldest_in_use_{0};
};

}  // namespace hearth::capture
