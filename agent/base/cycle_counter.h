// The processor's counter of time, which has one rate on all its cores. Any thread.
#pragma once

#include <cstdint>

namespace hearth {

uint64_t cycle_counter();
// Its increments a second, measured once over some milliseconds; 0: the processor has none of one rate.
int64_t cycles_per_second();

}  // namespace hearth
