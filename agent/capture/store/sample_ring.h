// Samples from signal handlers to the session's thread: many writers, one reader, fixed size. push() is signal safe and
// lock free; it fails if the ring is full, and the caller counts the weight as lost.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/owned.h"

namespace hearth::capture {

struct Sample {
  uint64_t time_ns;    // CLOCK_MONOTONIC
  int64_t weight;      // ns of CPU, or bytes
  uint32_t stack;      // StackTree node
  uint32_t thread;     // ThreadSlot::serial
  uint16_t labels;     // 0: none
  uint16_t span;       // as SpanTable::number_of()
  uint16_t event;      // number in the session, from 0
  uint16_t state;      // depends on the event; 0: none
  double objects = 0;  // estimated number of allocations or waits; 0 for other events
  // Of native memory, or of a native lock and the nanoseconds of the wait for it; else 0. A sample with an address and
  // no bytes reports that the memory was freed, and is not counted.
  uintptr_t address = 0;
  int64_t bytes = 0;

  bool is_release() const { return address != 0 && bytes == 0; }
};

class SampleRing {
 public:
  // `capacity`: a power of two.
  explicit SampleRing(uint32_t capacity);
  // False: there was no memory, and every push fails.
  bool ok() const { return cells_ != nullptr; }

  bool push(const Sample& sample);
  // True if `count` more samples would fit; approximate while others push. Signal safe.
  bool has_space(uint32_t count) const;
  bool pop(Sample* sample);

  // Visits the reserved memory, for measurements.
  template <typename Visit>
  void visit_memory(const Visit& visit) const {
    visit(memory_);
  }

 private:
  struct Cell {
    std::atomic<uint64_t> sequence;
    Sample sample;
  };
  Mapping memory_;
  Cell* cells_;
  uint64_t mask_;
  alignas(64) std::atomic<uint64_t> head_{0};  // next to write
  alignas(64) uint64_t tail_ = 0;              // next to read
};

}  // namespace hearth::capture
