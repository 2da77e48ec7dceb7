// Checks whether a thread still has the labels and the span of its last answer to the wall clock: it may have continued
// and wait for another request in the same place.
//
// The protocol of WallRequest (capture/thread_slot.h), which a thread's slot holds:
//
//   sampler (wall_clock.cpp, wall_requests.cpp)          thread (handlers/wall_handler.cpp)
//   ───────────────────────────────────────────────      ──────────────────────────────────────────────
//   writes observed, state_outside_calls
//   request_seq = response_seq + 1        (release) ───▶ signal; reads request_seq  (acquire)
//     visits it no more, but sends the signal            equal to response_seq: ignores the signal
//     again at each 16th visit                           records a sample of now - until_ns
//                                                        writes state, recorded, call_*, sp, until_ns
//   reads response_seq                    (acquire) ◀─── response_seq = request_seq (release)
//   reads the answer; the thread is blocked: counts
//   it again by its CPU clock, and moves until_ns
//   request_seq = response_seq: cancels the request
//
// Invariant: the thread begins to write the slot only while the two numbers differ, the sampler only while they are
// equal, except for request_seq. So a second signal, or one that comes late, records nothing; no time is counted twice,
// as each sample begins at until_ns and moves it.
#pragma once

#include "capture/faults/safe_load.h"
#include "capture/labels/foreign_context.h"
#include "capture/labels/thread_labels.h"
#include "capture/thread_slot.h"

namespace hearth::events {

// Ignores labels of virtual threads: a labelled one that keeps its carrier is sampled each time instead.
inline bool has_labels_of_answer(const capture::WallRequest& wall) {
  uint32_t labels =
      wall.labels == nullptr ? capture::kNoLabels : capture::load32(reinterpret_cast<uintptr_t>(wall.labels));
  bool is_foreign = wall.recorded.labels >= capture::AttributeSets::kFirst;
  return labels == (is_foreign ? capture::kNoLabels : wall.recorded.labels) &&
         capture::check_of(wall.context) == wall.context_check;
}

inline bool has_span_of_answer(const capture::WallRequest& wall) {
  uint64_t check = wall.span == nullptr ? 0 : capture::load(reinterpret_cast<uintptr_t>(&wall.span->check));
  bool is_foreign = wall.span_check == 0;
  if (wall.recorded.span == capture::SpanTable::kNone || is_foreign) return check == 0;
  return check != 0 && check == wall.span_check;
}

}  // namespace hearth::events
