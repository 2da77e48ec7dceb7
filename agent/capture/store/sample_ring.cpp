#include "capture/store/sample_ring.h"

#include <sys/mman.h>

namespace hearth::capture {

// A cell at position p is writable when its sequence is p, readable at p + 1; a read sets it to p + capacity (Vyukov's
// bounded queue).
SampleRing::SampleRing(uint32_t capacity)
    : memory_(mmap(nullptr, capacity * sizeof(Cell), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE,
                   -1, 0),
              capacity * sizeof(Cell)),
      cells_(memory_.as<Cell>()),
      mask_(capacity - 1) {
  for (uint32_t i = 0; cells_ != nullptr && i < capacity; i++) cells_[i].sequence.store(i, std::memory_order_relaxed);
}

bool SampleRing::push(const Sample& sample) {
  if (cells_ == nullptr) return false;
  uint64_t position = head_.load(std::memory_order_relaxed);
  for (;;) {
    Cell& cell = cells_[position & mask_];
    uint64_t sequence = cell.sequence.load(std::memory_order_acquire);
    if (sequence == position) {
      if (head_.compare_exchange_weak(position, position + 1, std::memory_order_relaxed)) {
        cell.sample = sample;
        cell.sequence.store(position + 1, std::memory_order_release);
        return true;
      }
    } else if (sequence < position) {
      return false;
    } else {
      position = head_.load(std::memory_order_relaxed);
    }
  }
}

bool SampleRing::has_space(uint32_t count) const {
  if (cells_ == nullptr) return true;  // waiting would not help
  uint64_t position = head_.load(std::memory_order_relaxed) + count;
  return cells_[position & mask_].sequence.load(std::memory_order_acquire) >= position;
}

bool SampleRing::pop(Sample* sample) {
  if (cells_ == nullptr) return false;
  Cell& cell = cells_[tail_ & mask_];
  if (cell.sequence.load(std::memory_order_acquire) != tail_ + 1) return false;
  *sample = cell.sample;
  cell.sequence.store(tail_ + mask_ + 1, std::memory_order_release);
  tail_++;
  return true;
}

}  // namespace hearth::capture
