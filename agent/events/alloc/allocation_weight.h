// Weights of sampled allocations. Any thread.
#pragma once

#include <cstdint>

#include "capture/thread_slot.h"
#include "capture/unwind/java/vm_layout.h"

namespace hearth::events {

struct AllocationWeight {
  double bytes = 0;
  double objects = 0;
  bool counts = true;  // false: the JVM reported the object by mistake
};

// The JVM draws the bytes to the next sample from the exponential distribution of mean `interval`, so an object of
// `size` bytes is sampled with probability 1 - exp(-size / interval). Interval 0 samples every object.
// `passed_over`: bytes that the thread allocated since its last sample and that the sampler had not counted; only the
// part of the object beyond them could be sampled.
AllocationWeight weight_of_allocation(int64_t size, int64_t interval, int64_t passed_over = 0);

// Returns the bytes that the thread has allocated since it began, by the JVM's own counters; 0 if the layout is
// unknown. Fault tolerant: a thread that ends meanwhile may be passed, and then any value may be returned.
int64_t allocated_bytes(const capture::AllocationLayout& layout, uintptr_t java_thread);

// Weighs an object of the calling thread, at `address`, that the JVM's sampler has reported at a point that it drew
// itself. `last`: of the thread's previous sample; updated.
//
// A sampler that loses count (AllocationLayout) makes two mistakes:
// 1. When a TLAB is retired early, the whole TLAB counts as allocated, and so the first object of the next TLAB is
//    reported, whatever that is. Such objects are not counted. Exact would be their own bytes, one object a TLAB.
// 2. For an object outside of TLABs no bytes count that were allocated in the TLAB since the previous object outside.
// If
//    some objects outside were not sampled, those bytes are assumed to be spread evenly between them.
AllocationWeight weigh_sampled_object(const capture::AllocationLayout& layout, uintptr_t java_thread, uintptr_t address,
                                      int64_t size, int64_t interval, capture::AllocationMark* last);

}  // namespace hearth::events
