// Names that are met inside signals, by number: what a class is called outlives the class. Signal safe and lock free
// but for the constructor.
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

  // Equal names have equal numbers. kNone: there is no room.
  uint32_t number_of(std::string_view name);
  // "" for a number that it did not give. Lives as long as this does.
  const char* name(uint32_t number) const;
  // How often a name found no room.
  uint64_t refused() const { return refused_.load(std::memory_order_relaxed); }

  // Of what was reserved, to be measured.
  template <typename Visit>
  void visit_memory(const Visit& visit) const {
    visit(entry_memory_);
    visit(text_memory_);
  }

 private:
  static constexpr uint32_t kNoRoom = UINT32_MAX;
  static constexpr uint32_t kTextBytes = 1 << 24;
  struct Entry {
    std::atomic<uint64_t> hash;  // 0: free
    std::atomic<uint32_t> text;  // its place; 0: not written yet, kNoRoom: it found none
  };
  uint32_t keep(std::string_view name);
  uint32_t refuse();

  Mapping entry_memory_;
  Mapping text_memory_;
  std::atomic<uint32_t> text_used_{1};
  std::atomic<uint64_t> refused_{0};
};

}  // namespace hearth::capture
