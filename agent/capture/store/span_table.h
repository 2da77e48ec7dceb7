// The trace spans of a session's samples, by number: samples carry the number. Signal safe and lock free, except the
// constructor.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/owned.h"

namespace hearth::capture {

// Ids of a span, as in W3C's Trace Context. No span when all zero.
struct SpanIds {
  uint64_t trace_high;
  uint64_t trace_low;
  uint64_t span;
  bool operator==(const SpanIds& other) const {
    return trace_high == other.trace_high && trace_low == other.trace_low && span == other.span;
  }
};

class SpanTable {
 public:
  static constexpr uint16_t kNone = 0;
  static constexpr uint16_t kOther = UINT16_MAX;     // of spans that did not fit
  static constexpr uint32_t kMost = UINT16_MAX - 1;  // numbers from 1

  // Without memory every span is kOther.
  SpanTable();

  // Returns the span's number; equal spans have equal numbers.
  uint16_t number_of(const SpanIds& ids);
  // Returns no span for kNone and kOther.
  SpanIds of(uint16_t number) const;
  uint32_t used() const { return used_.load(std::memory_order_relaxed); }

  // Visits the reserved memory, for measurements.
  template <typename Visit>
  void visit_memory(const Visit& visit) const {
    visit(ids_memory_);
    visit(slot_memory_);
  }

 private:
  static constexpr uint32_t kSlots = 1 << 17;
  static constexpr uint32_t kMostProbes = 256;
  uint16_t claim(const SpanIds& ids);

  Mapping ids_memory_;   // by number
  Mapping slot_memory_;  // numbers, by hash
  std::atomic<uint32_t> used_{0};
};

}  // namespace hearth::capture
