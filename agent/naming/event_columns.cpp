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
    columns_.push_back({kind->counts_objects() ? types_.size() - 2 : 0, types_.size() - 1, 0, kind});
    const profile::EventKind* also = profile::event_kind(kind->also);
    if (also == nullptr) continue;
    types_.push_back({also->count, "count"});
    types_.push_back({also->weight, also->unit});
    columns_.back().bytes = types_.size() - 1;
  }
}

void EventColumns::add(uint16_t event, const session::SampleCounts::Count& count, std::vector<int64_t>* values) const {
  const Columns& columns = columns_[event];
  (*values)[columns.count] += columns.kind->counts_objects() ? std::llround(count.objects) : count.samples;
  (*values)[columns.weight] += count.weight;
}

void EventColumns::add_bytes(uint16_t event, const session::SampleCounts::Count& count, double each,
                             std::vector<int64_t>* values) const {
  if (each <= 0) return;
  size_t bytes = columns_[event].bytes;
  (*values)[bytes - 1] += std::llround(count.objects);
  (*values)[bytes] += std::llround(count.objects * each);
}

}  // namespace hearth::naming
