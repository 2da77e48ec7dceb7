#include "always_on/cost_meter.h"

#include <utility>

namespace hearth::always_on {

bool CostMeter::measure(const Clocks& now) {
  Clocks before = std::exchange(last_, now);
  if (before.time_ns == 0) return false;
  return budget_.measure({now.sampling_ns - before.sampling_ns, now.rest_ns - before.rest_ns,
                          static_cast<int64_t>(now.time_ns - before.time_ns), now.process_ns - before.process_ns});
}

}  // namespace hearth::always_on
