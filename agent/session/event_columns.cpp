#include "session/event_columns.h"

#include <cmath>

#include "profile/event_view.h"

namespace hearth::session {

EventColumns::EventColumns(const std::vector<Event>& events) {
  for (const auto& [event, interval, threshold] : events) {
    bool is_live = event == profile::kLiveEvent;
    bool counts_objects = is_live || event == profile::kAllocEvent;
    if (counts_objects) {
      types_.push_back({is_live ? "inuse_objects" : "alloc_objects", "count"});
      types_.push_back({is_live ? "inuse_space" : "alloc_space", "bytes", interval, threshold});
    } else {
      if (types_.empty()) types_.push_back({"samples", "count"});
      types_.push_back({event, "nanoseconds", interval});
    }
    Kind kind = is_live ? Kind::kLive : counts_objects ? Kind::kAllocated : Kind::kTime;
    columns_.push_back({counts_objects ? types_.size() - 2 : 0, types_.size() - 1, kind});
  }
}

void EventColumns::add(uint16_t event, const SampleCounts::Count& count, std::vector<int64_t>* values) const {
  const Columns& columns = columns_[event];
  (*values)[columns.count] += columns.kind == Kind::kTime ? count.samples : std::llround(count.objects);
  (*values)[columns.weight] += count.weight;
}

}  // namespace hearth::session
