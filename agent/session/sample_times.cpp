#include "session/sample_times.h"

#include <optional>

namespace hearth::session {

bool SampleTimes::add_later(uint32_t id, uint32_t step, const SampleCount& count) {
  uint64_t hash = profile::mix(id, step);
  auto is_it = [&](uint32_t place) { return later_[place].id == id && later_[place].step == step; };
  if (std::optional<uint32_t> known = index_.find(hash, is_it)) {
    later_[*known].count += count;
    return true;
  }
  if (later_.size() >= most_) return false;
  later_.push_back({id, step, count});
  try {
    index_.find_or_claim(hash, is_it);
  } catch (...) {  // no memory: both keep the same length
    later_.pop_back();
    throw;
  }
  return true;
}

}  // namespace hearth::session
