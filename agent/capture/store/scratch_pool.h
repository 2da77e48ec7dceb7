// Scratch buffers for signal handlers. Signal safe and lock free, except the constructor.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/owned.h"
#include "capture/unwind/stack_walk.h"

namespace hearth::capture {

class ScratchPool {
 public:
  // Far more than handlers that can be active at once: one on each processor, and those that lost their processor
  // meanwhile. Address space is reserved; memory is taken for the largest number in use at once.
  static constexpr uint32_t kBuffers = 1024;

  ScratchPool();
  bool ok() const { return static_cast<bool>(memory_); }  // false: there was no memory

  // Returns null if all buffers are in use: it does not wait.
  WalkScratch* take();
  void give_back(WalkScratch* scratch);

  // Visits the reserved memory, for measurements.
  template <typename Visit>
  void visit_memory(const Visit& visit) const {
    visit(memory_);
  }

 private:
  static constexpr uint32_t kWordBuffers = 64;
  Mapping memory_;
  std::atomic<uint64_t> taken_[kBuffers / kWordBuffers] = {};
};

}  // namespace hearth::capture
