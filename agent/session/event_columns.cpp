#include "session/event_columns.h"

#include <cmath>

namespace hearth::session {

EventColumns::EventColumns(const std::vector<Event>& events) {
  for (const auto& [event, interval] : events) {
    bool allocates = event == kAllocEvent;
    if (allocates) {
      types_.push_back({"alloc_objects", "count"});
      types_.push_back({"alloc_space", "bytes", interval});
    } else {
      if (types_.empty()) types_.push_back({"samples", "count"});
      types_.push_back({event, "nanoseconds", interval});
    }
    columns_.push_back({allocates ? types_.size() - 2 : 0, types_.size() - 1, allocates});
  }
}

void EventColumns::add(uint16_t event, const SampleCounts::Count& count, std::vector<int64_t>* values) const {
  const Columns& columns = columns_[event];
  (*values)[columns.count] += columns.counts_objects ? std::llround(count.objects) : count.samples;
  (*values)[columns.weight] += count.weight;
}

}  // namespace hearth::session
