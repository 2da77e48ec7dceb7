// What one sampled allocation stands for. Any thread.
#pragma once

#include <cstdint>

#include "capture/thread_slot.h"
#include "capture/unwind/java/vm_layout.h"

namespace hearth::events {

struct AllocationWeight {
  double bytes = 0;
  double objects = 0;
  bool counts = true;  // false: the JVM showed the object by mistake
};

// The JVM draws the bytes to the next sample from the exponential distribution of mean `interval`, so an object of
// `size` bytes has a chance of 1 - exp(-size / interval) to be met. Interval 0 meets every one.
// `passed_over`: bytes that the thread allocated since its last sample and the sampler did not count yet; the object
// was met only in what it has beyond those.
AllocationWeight weight_of_allocation(int64_t size, int64_t interval, int64_t passed_over = 0);

// All that the JVM's own counters say the thread has allocated: in bytes since it began; 0 when the layout is not
// known. Fault tolerant, so that a thread that ends meanwhile may be asked about; then the answer may be anything.
int64_t allocated_bytes(const capture::AllocationLayout& layout, uintptr_t java_thread);

// Weighs an object of the calling thread, at `address`, that the JVM's sampler has shown at a point that it drew
// itself. `last`: of the thread's sample before; brought up to date.
//
// A sampler that loses count (AllocationLayout) makes two mistakes. When a TLAB is given up early it takes all of it
// for allocated, and so shows the object that comes first in the next TLAB, whatever that is: such objects are not
// counted. They would deserve their own bytes, one object a TLAB, which is left out. And an object outside of TLABs is
// held against the bytes to the next sample as if nothing had been allocated in the TLAB since the one outside before
// it; when there were such that were not met, what went into the TLAB meanwhile is taken to lie between them evenly.
AllocationWeight weigh_sampled_object(const capture::AllocationLayout& layout, uintptr_t java_thread, uintptr_t address,
                                      int64_t size, int64_t interval, capture::AllocationMark* last);

}  // namespace hearth::events
