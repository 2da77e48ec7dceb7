// Samples that sources take where the JVM calls them, outside signals: those need not be lost. Any thread.
#pragma once

#include <sched.h>

#include <functional>

#include "capture/recorder.h"

namespace hearth::events {

// Recorder::record_call on a thread that makes room itself when there is none. What memory there is ends sometime: then
// the sample is lost all the same, and counted so.
inline capture::Recorded record_roomily(capture::Recorder* recorder, const std::function<void()>& make_room,
                                        capture::ThreadSlot* slot, capture::Occasion occasion,
                                        capture::Frame innermost) {
  constexpr int kTries = 16;
  capture::Recorded recorded;
  for (int left = kTries; left > 0 && recorded.stack == capture::StackTree::kFull; left--) {
    if (left < kTries) sched_yield();
    if (left < kTries || !recorder->takes_more()) make_room();
    occasion.is_tried_again = left > 1;
    recorded = recorder->record_call(slot, occasion, innermost);
  }
  return recorded;
}

}  // namespace hearth::events
