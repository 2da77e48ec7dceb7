#include "naming/event_columns.h"

#include <algorithm>
#include <cmath>
namespace hearth::naming {
EventColumns::EventColumns(const std::vector<Event>& events) {
  bool has_samples = std::any_of(events.begin(), events.end(), [](const Event& event) {
    return !profile::kind_of_event(event.name).counts_objects();
  });
  if (has_samples) types_.push_back({std::string(profile::kSamplesType), "count"});
  for (const Event& event : events) {
    const profile::EventKind* kind = &profile::kind_of_event(event.name);
    if (kind->counts_objects())
      types_.push_back({kind->count, "count", 0, 0, event.followed_since_ns, event.looked_at_ns});
    std::string weight = kind == &profile::kCounterKind ? event.name : kind->weight;
    types_.push_back(
        {weight, kind->unit, event.interval, event.threshold, event.followed_since_ns, event.looked_at_ns});
    columns_.push_back({kind->counts_objects() ? types_.size() - 2 : 0, types_.size() - 1, kind});
  }
}

void EventColumns::add(uint16_t event, const session::SampleCounts::Count& count, std::vector<int64_t>* values) const {
  const Columns& columns = columns_[event];
  (*values)[columns.count] += columns.kind->counts_objects() ? std::llround(count.objects) : count.samples;
  (*values)[columns.weight] += count.weight;
}

}  // namespace hearth::naming
