#include "capture/store/signal_index.h"

#include <sys/mman.h>
#include <unistd.h>

namespace hearth::capture {
namespace {

constexpr uint32_t kFirstSlots = 1 << 14;

}  // namespace

void touch_memory(void* from, size_t bytes) {
  const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  auto begin = reinterpret_cast<uintptr_t>(from) & ~(page - 1);
  auto end = reinterpret_cast<uintptr_t>(from) + bytes;
#ifdef MADV_POPULATE_WRITE
  madvise(reinterpret_cast<void*>(begin), end - begin, MADV_POPULATE_WRITE);
#else
  constexpr int kPopulateWrite = 23;  // linux/mman.h, Linux 5.14
  madvise(reinterpret_cast<void*>(begin), end - begin, kPopulateWrite);
#endif
}

SignalIndex::SignalIndex() {
  add_table(kFirstSlots);
}

bool SignalIndex::add_table(uint32_t slots) {
  int count = count_.load(std::memory_order_relaxed);
  if (count == kMaxTables) return false;
  Table& table = tables_[count];
  table.memory = Mapping::reserved(size_t{slots} * sizeof(uint32_t));
  if (!table.memory) return false;
  table.mask = slots - 1;
  touch_memory(table.memory.as<void>(), table.memory.size());
  // After the table is complete: a thread that creates a value after this count must see the new table.
  count_.store(count + 1, std::memory_order_seq_cst);
  return true;
}

// A handler that still uses an old table finds it empty, and at worst stores a value twice.
void SignalIndex::retire_before(int table) {
  oldest_in_use_.store(table, std::memory_order_release);
  const Mapping& old = tables_[table - 1].memory;
  madvise(old.as<void>(), old.size(), MADV_DONTNEED);
}

}  // namespace hearth::capture
