// The spans that a session's samples were taken in, by number: what a sample carries. Signal safe and lock free but for
// the constructor.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/owned.h"

namespace hearth::capture {

// Of a span of a trace, as W3C's Trace Context has them. None when all zero.
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
  static constexpr uint16_t kOther = UINT16_MAX;     // of those that found no room
  static constexpr uint32_t kMost = UINT16_MAX - 1;  // numbers from 1

  // Without memory every span is kOther.
  SpanTable();

  // Equal ones have equal numbers.
  uint16_t number_of(const SpanIds& ids);
  // None of a number that stands for none.
  SpanIds of(uint16_t number) const;
  uint32_t used() const { return used_.load(std::memory_order_relaxed); }

  // Of what was reserved, to be measured.
  template <typename Visit>
  void visit_memory(const Visit& visit) const {
    visit(ids_memory_);
    visit(place_memory_);
  }

 private:
  static constexpr uint32_t kPlaces = 1 << 17;
  static constexpr uint32_t kMostProbes = 256;
  uint16_t claim(const SpanIds& ids);

  Mapping ids_memory_;    // by number
  Mapping place_memory_;  // numbers, by hash
  std::atomic<uint32_t> used_{0};
};

}  // namespace hearth::capture
