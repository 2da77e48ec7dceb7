// Samples from calls of the JVM, outside signals, which can wait for space instead of being lost. Any thread.
#pragma once

#include <sched.h>

#include <functional>
#include <optional>

#include "capture/recorder.h"

namespace hearth::events {

// Calls Recorder::record_call and empties the ring itself when it is full. If memory is exhausted the sample is lost
// and counted as lost.
inline capture::Recorded record_with_retry(capture::Recorder* recorder, const std::function<void()>& drain,
                                           capture::ThreadSlot* slot, capture::SampleInfo info,
                                           std::optional<capture::Frame> innermost) {
  constexpr int kTries = 16;
  capture::Recorded recorded;
  for (int left = kTries; left > 0 && recorded.stack == capture::StackTree::kFull; left--) {
    if (left < kTries) sched_yield();
    if (left < kTries || !recorder->has_space()) drain();
    info.will_retry = left > 1;
    recorded = recorder->record_call(slot, info, innermost);
  }
  return recorded;
}

}  // namespace hearth::events
