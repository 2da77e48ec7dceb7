#include "capture/store/span_table.h"

namespace hearth::capture {
namespace {

// Mixes the bits: most ids are random, but no standard guarantees it.
uint64_t hash_of(const SpanIds& ids) {
  uint64_t hash = (ids.span ^ ids.trace_low * 0x9E3779B97F4A7C15u ^ ids.trace_high) * 0xD6E8FEB86659FD93u;
  return hash ^ hash >> 32;
}

}  // namespace

SpanTable::SpanTable()
    : ids_memory_(Mapping::reserved((kMost + 1) * sizeof(SpanIds))),
      slot_memory_(Mapping::reserved(kSlots * sizeof(std::atomic<uint16_t>))) {}

// Returns kNone if no number is left.
uint16_t SpanTable::claim(const SpanIds& ids) {
  uint32_t used = used_.load(std::memory_order_relaxed);
  do {
    if (used >= kMost) return kNone;
  } while (!used_.compare_exchange_weak(used, used + 1, std::memory_order_relaxed));
  auto number = static_cast<uint16_t>(used + 1);
  ids_memory_.as<SpanIds>()[number] = ids;
  return number;
}

// A number that was claimed while another thread wrote the same span stays unused.
uint16_t SpanTable::number_of(const SpanIds& ids) {
  if (ids == SpanIds()) return kNone;
  if (ids_memory_ && slot_memory_) {
    auto* slots = slot_memory_.as<std::atomic<uint16_t>>();
    uint64_t hash = hash_of(ids);
    uint16_t own = kNone;
    for (uint32_t probe = 0; probe < kMostProbes; probe++) {
      std::atomic<uint16_t>& slot = slots[(hash + probe) % kSlots];
      uint16_t there = slot.load(std::memory_order_acquire);
      if (there == kNone && own == kNone) own = claim(ids);
      if (there == kNone && own == kNone) break;
      if (there == kNone && slot.compare_exchange_strong(there, own, std::memory_order_acq_rel)) return own;
      if (of(there) == ids) return there;
    }
  }
  return kOther;
}

SpanIds SpanTable::of(uint16_t number) const {
  return number == kOther || !ids_memory_ ? SpanIds() : ids_memory_.as<SpanIds>()[number];
}

}  // namespace hearth::capture
