// Cache of the rules of native pcs: return addresses repeat, and a search in a large table is all cache misses. Signal
// safe, lock free; shared by all threads.
#pragma once

#include <atomic>
#include <cstdint>

#include "capture/unwind/native/native_rules.h"

namespace hearth::capture {

class RuleCache {
 public:
  // False if the pc is not cached.
  bool find(uintptr_t pc, NativeRule* rule) const {
    uint64_t entry = entries_[index_of(pc)].load(std::memory_order_relaxed);
    if (entry >> 32 != tag(pc)) return false;
    rule->packed = static_cast<uint32_t>(entry);
    return true;
  }
  void put(uintptr_t pc, const NativeRule& rule) {
    entries_[index_of(pc)].store(tag(pc) << 32 | rule.packed, std::memory_order_relaxed);
  }
  // Call it when code was loaded or unloaded.
  void clear() {
    for (auto& entry : entries_) entry.store(0, std::memory_order_relaxed);
  }

 private:
  static constexpr uint32_t kEntries = 1 << 13;

  // User addresses have 47 bits: 13 select the entry, and 32 are compared. The highest two are redundant: the program
  // and its libraries differ in lower bits, too.
  static uint32_t index_of(uintptr_t pc) { return pc & (kEntries - 1); }
  static uint64_t tag(uintptr_t pc) { return pc >> 13 & 0xffffffff; }

  std::atomic<uint64_t> entries_[kEntries] = {};
};

}  // namespace hearth::capture
