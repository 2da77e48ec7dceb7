// Sample points of allocations that hearth draws itself, where the JVM's sampler loses count (AllocationLayout).
//
// That sampler does not count the TLAB when it looks at an object outside, and counts the unused rest of a TLAB
// as allocated. So some objects are sampled too often and some never, depending on where TLABs end. Here the JVM's
// sampler only reports objects: hearth draws each thread's points, counts its bytes by the JVM's exact counter, and
// overwrites the distance that the sampler has drawn with one short enough to miss no object.
#pragma once

#include <cstdint>

#include "capture/thread_slot.h"
#include "capture/unwind/java/vm_layout.h"
#include "events/alloc/allocation_weight.h"

namespace hearth::events {

// An object of the calling thread that the JVM's sampler has reported.
struct ShownObject {
  uintptr_t thread = 0;  // the JavaThread
  uintptr_t address = 0;
  int64_t size = 0;
};

// Begins the points of the calling thread after everything that it has allocated so far.
void begin_own_points(const capture::AllocationLayout& layout, uintptr_t thread, int64_t interval,
                      capture::OwnPoints* points);

// Returns the weight of the object; it does not count if it contains no point. The points must have begun. Sets the
// point at which the JVM reports the next object.
AllocationWeight weigh_by_own_points(const capture::AllocationLayout& layout, const ShownObject& shown,
                                     int64_t interval, capture::OwnPoints* points);

}  // namespace hearth::events
