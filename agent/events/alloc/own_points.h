// Sample points of allocations that hearth draws itself, where the JVM's sampler loses count (AllocationLayout).
//
// That sampler does not count the TLAB when it looks at an object outside of it, and counts the unused rest of a TLAB
// for allocated. So some objects are met too often and some never, and which ones depends on where TLABs end. Here the
// JVM's sampler only shows objects: hearth draws each thread's points, counts its bytes by the JVM's exact counter, and
// overwrites the distance that the sampler has drawn with one that is short enough for it to miss nothing.
#pragma once

#include <atomic>
#include <cstdint>

#include "capture/thread_slot.h"
#include "capture/unwind/java/vm_layout.h"
#include "events/alloc/allocation_weight.h"

namespace hearth::events {

// An object of the calling thread that the JVM's sampler has shown.
struct ShownObject {
  uintptr_t thread = 0;  // the JavaThread
  uintptr_t address = 0;
  int64_t size = 0;
};

// Whether AllocationLayout::sample_point is the sampler's point, which no table of the JVM confirms. Samples prove it:
// the JVM must show the very object in which the word puts the point, several times in a row, and a small one each
// time. Any thread.
class PointProof {
 public:
  bool holds() const;
  // `before` and `now`: the thread's last sample and this one, each with the word as it was then.
  void look(const capture::AllocationMark& before, const capture::AllocationMark& now, const ShownObject& shown,
            int64_t interval);

 private:
  static constexpr int kEnough = 4;
  std::atomic<int> in_a_row_{0};
};

// Begins the points of the calling thread after all that it has allocated so far.
void begin_own_points(const capture::AllocationLayout& layout, uintptr_t thread, int64_t interval,
                      capture::OwnPoints* points);

// What the object stands for; it does not count when no point lies in it. The points have begun. Sets where the JVM
// shows the next object.
AllocationWeight weigh_by_own_points(const capture::AllocationLayout& layout, const ShownObject& shown,
                                     int64_t interval, capture::OwnPoints* points);

}  // namespace hearth::events
