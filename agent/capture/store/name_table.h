// Names from signal handlers, by number: a class's name outlives the class. Signal safe and lock free, except the
// constructor.
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

#include "base/owned.h"

namespace hearth::capture {

class NameTable {
 public:
  static constexpr uint32_t kMost = 1 << 16;
  static constexpr uint32_t kNone = UINT32_MAX;

  NameTable();

  // Returns the name's number; equal names have equal numbers. kNone: the table is full.
  uint32_t number_of(std::string_view name);
  // Returns "" for an unknown number. Valid as long as the table.
  const char* name(uint32_t number) const;
  // Returns how often the table was full for a name.
  uint64_t refused() const { return refused_.load(std::memory_order_relaxed); }

  // Visits the reserved memory, for measurements.
  template <typename Visit>
  void visit_memory(const Visit& visit) const {
    visit(entry_memory_);
    visit(text_memory_);
  }

 private:
  static constexpr uint32_t kNoSpace = UINT32_MAX;
  static constexpr uint32_t kTextBytes = 1 << 24;
  struct Entry {
    std::atomic<uint64_t> hash;  // 0: free
    std::atomic<uint32_t> text;  // offset; 0: not written yet, kNoSpace: the text memory was full
  };
  uint32_t keep(std::string_view name);
  uint32_t refuse();

  Mapping entry_memory_;
  Mapping text_memory_;
  std::atomic<uint32_t> text_used_{1};
  std::atomic<uint64_t> refused_{0};
};

}  // namespace hearth::capture
