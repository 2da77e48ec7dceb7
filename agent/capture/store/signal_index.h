// A hash index of ids for signal handlers: which id stands for a value that lives in somebody else's array. find() and
// insert() are signal safe and lock free; grow() and the destructor are for one ordinary thread. Ids are not 0.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/owned.h"

namespace hearth::capture {

// A page fault inside a handler costs tens of microseconds: takes the pages before. Failure only means slower.
void touch_memory(void* from, size_t bytes);

class SignalIndex {
 public:
  SignalIndex();

  bool ok() const { return count_ > 0; }  // false: there was no memory

  // The id for which `is_wanted(id)` holds; 0: none.
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

  // Enters `mine` and returns the id that stands there in the end: another thread may be faster. Where the table is
  // crowded until grow() comes, it is not entered: then its value is not found, and kept once more each time it comes.
  template <typename IsWanted>
  uint32_t insert(uint32_t hash, uint32_t mine, const IsWanted& is_wanted) {
    return insert_in(&tables_[count_.load(std::memory_order_acquire) - 1], hash, mine, is_wanted);
  }

  // Makes a larger table when `values` fill more than half of the newest. `enter_all(enter)` calls
  // enter(hash, id, is_wanted) for all values there are. It must ask how many only then: what is made later is entered
  // in the new table by its maker.
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

  // Of what was reserved, to be measured.
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

  // Newest last. While grow() fills a new one, those before it are searched too.
  Table tables_[kMaxTables];
  std::atomic<int> count_{0};
  std::atomic<int> oldest_in_use_{0};
};

}  // namespace hearth::capture
