#include "naming/event_columns.h"

#include <cmath>

#include "profile/model/event_view.h"

namespace hearth::naming {
namespace {

struct Pair {
  std::string_view event;
  EventColumns::Kind kind;
  const char* count;
  const char* weight;
  const char* unit;  // of the weight
};

// Events with samples that estimate a number of objects or waits.
constexpr Pair kPairs[] = {
    {profile::kAllocEvent, EventColumns::Kind::kAllocated, "alloc_objects", "alloc_space", "bytes"},
    {profile::kLiveEvent, EventColumns::Kind::kLive, "inuse_objects", "inuse_space", "bytes"},
    {profile::kLockEvent, EventColumns::Kind::kWaits, "contentions", "delay", "nanoseconds"},
};

const Pair* pair_of(std::string_view event) {
  for (const Pair& pair : kPairs) {
    if (pair.event == event) return &pair;
  }
  return nullptr;
}

}  // namespace

EventColumns::EventColumns(const std::vector<Event>& events) {
  for (const auto& [event, interval, threshold] : events) {
    const Pair* pair = pair_of(event);
    if (pair != nullptr) {
      types_.push_back({pair->count, "count"});
      types_.push_back({pair->weight, pair->unit, interval, threshold});
    } else {
      if (types_.empty()) types_.push_back({"samples", "count"});
      types_.push_back({event, "nanoseconds", interval});
    }
    columns_.push_back(
        {pair == nullptr ? 0 : types_.size() - 2, types_.size() - 1, pair == nullptr ? Kind::kTime : pair->kind});
  }
}

void EventColumns::add(uint16_t event, const session::SampleCounts::Count& count, std::vector<int64_t>* values) const {
  const Columns& columns = columns_[event];
  (*values)[columns.count] += columns.kind == Kind::kTime ? count.samples : std::llround(count.objects);
  (*values)[columns.weight] += count.weight;
}

}  // namespace hearth::naming
