// Checks whether a thread still has the labels and the span of its last answer to the wall clock: it may have continued
// and wait for another request in the same place.
#pragma once

#include "capture/faults/safe_load.h"
#include "capture/labels/thread_labels.h"
#include "capture/thread_slot.h"

namespace hearth::events {

// Ignores labels of virtual threads: a labelled one that keeps its carrier is sampled each time instead.
inline bool has_labels_of_answer(const capture::WallRequest& wall) {
  uint32_t labels =
      wall.labels == nullptr ? capture::kNoLabels : capture::load32(reinterpret_cast<uintptr_t>(wall.labels));
  return labels == wall.recorded.labels;
}

inline bool has_span_of_answer(const capture::WallRequest& wall) {
  uint64_t check = wall.span == nullptr ? 0 : capture::load(reinterpret_cast<uintptr_t>(&wall.span->check));
  if (wall.recorded.span == capture::SpanTable::kNone) return check == 0;
  return check != 0 && check == wall.span_check;
}

}  // namespace hearth::events
