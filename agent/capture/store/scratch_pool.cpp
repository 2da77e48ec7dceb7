#include "capture/store/scratch_pool.h"

namespace hearth::capture {

// Reserves address space; only pages that a walk reaches take memory.
ScratchPool::ScratchPool() : memory_(Mapping::reserved(kBuffers * sizeof(WalkScratch))) {}

// Takes the first free buffer: its pages are the most likely to be mapped, and in a cache.
WalkScratch* ScratchPool::take() {
  if (!memory_) return nullptr;
  for (uint32_t word = 0; word < kBuffers / kWordBuffers; word++) {
    uint64_t taken = taken_[word].load(std::memory_order_relaxed);
    while (~taken != 0) {
      auto bit = static_cast<uint32_t>(__builtin_ctzll(~taken));
      if (taken_[word].compare_exchange_weak(taken, taken | uint64_t{1} << bit, std::memory_order_acquire))
        return memory_.as<WalkScratch>() + size_t{word} * kWordBuffers + bit;
    }
  }
  return nullptr;
}

void ScratchPool::give_back(WalkScratch* scratch) {
  auto buffer = static_cast<uint32_t>(scratch - memory_.as<WalkScratch>());
  taken_[buffer / kWordBuffers].fetch_and(~(uint64_t{1} << buffer % kWordBuffers), std::memory_order_release);
}

}  // namespace hearth::capture
