// The time of the calling thread's last sample, for native code and Java code that asks for it: async-profiler's API
// has it. Signal safe.
#pragma once

#include <cstdint>

namespace hearth::capture {

// CLOCK_MONOTONIC in nanoseconds; 0: the thread had no sample. Valid as long as the thread lives.
volatile uint64_t* last_sample_cell();

}  // namespace hearth::capture
