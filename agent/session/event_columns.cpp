#include "session/event_columns.h"

#include <cmath>

#include "session/live_profile.h"

namespace hearth::session {

EventColumns::EventColumns(const std::vector<Event>& events) {
  for (const auto& [event, interval, one_of] : events) {
    bool is_live = event == kLiveEvent;
    bool counts_objects = is_live || event == kAllocEvent;
    if (counts_objects) {
      types_.push_back({is_live ? "inuse_objects" : "alloc_objects", "count"});
      types_.push_back({is_live ? "inuse_space" : "alloc_space", "bytes", interval, one_of});
    } else {
      if (types_.empty()) types_.push_back({"samples", "count"});
      types_.push_back({event, "nanoseconds", interval});
    }
    columns_.push_back({counts_objects ? types_.size() - 2 : 0, types_.size() - 1, counts_objects, is_live});
  }
}

void EventColumns::add(uint16_t event, const SampleCounts::Count& count, std::vector<int64_t>* values) const {
  const Columns& columns = columns_[event];
  (*values)[columns.count] += columns.counts_objects ? std::llround(count.objects) : count.samples;
  (*values)[columns.weight] += count.weight;
}

}  // namespace hearth::session
