#include "session/counting/sample_times.h"

#include <optional>

namespace hearth::session {

bool SampleTimes::add_later(uint32_t id, uint32_t step, const SampleCount& count) {
  uint64_t hash = profile::mix(id, step);
  std::optional<uint32_t> place = profile::find_or_append(
      &index_, hash, &later_, most_,
      [&](uint32_t known) { return later_[known].id == id && later_[known].step == step; },
      [&] {
        later_.push_back({id, step, SampleCount()});
      });
  if (place) later_[*place].count += count;
  return place.has_value();
}

}  // namespace hearth::session
