// Lends scratch memory to signal handlers. Signal safe and lock free but for the constructor.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/owned.h"
#include "capture/unwind/stack_walk.h"

namespace hearth::capture {

class ScratchPool {
 public:
  // Places, far above the handlers that can be at work at once: those that run, one a processor, and those that lost
  // their processor meanwhile. Address space is reserved; memory is taken for those that were ever used at once.
  static constexpr uint32_t kPlaces = 1024;

  ScratchPool();
  bool ok() const { return static_cast<bool>(memory_); }  // false: there was no memory

  // Null when every place is lent: it waits for nobody.
  WalkScratch* take();
  void give_back(WalkScratch* scratch);

  // Of what was reserved, to be measured.
  template <typename Visit>
  void visit_memory(const Visit& visit) const {
    visit(memory_);
  }

 private:
  static constexpr uint32_t kWordPlaces = 64;
  Mapping memory_;
  std::atomic<uint64_t> taken_[kPlaces / kWordPlaces] = {};
};

}  // namespace hearth::capture
