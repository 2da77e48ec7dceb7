// Maps each event of a session to value columns of the profile, by its row of profile::kEventKinds or as a counter.
// Events that count samples share the first column.
#pragma once

#include <string>
#include <vector>

#include "profile/model/event_kinds.h"
#include "profile/model/profile.h"
#include "session/counting/sample_counts.h"

namespace hearth::naming {

class EventColumns {
 public:
  struct Event {
    std::string name;
    int64_t interval;       // in the event's unit
    int64_t threshold = 0;  // this and the rest as in ValueType
    int64_t followed_since_ns = 0;
    int64_t looked_at_ns = 0;
  };

  // `events` by their numbers in the session.
  explicit EventColumns(const std::vector<Event>& events);

  const std::vector<profile::ValueType>& value_types() const { return types_; }

  // Adds the count to `values`, one for each value type.
  void add(uint16_t event, const session::SampleCounts::Count& count, std::vector<int64_t>* values) const;
  // For an event with EventKind::also: adds to that one's values. `each`: bytes of one of the counted objects.
  bool has_bytes(uint16_t event) const { return columns_[event].bytes != 0; }
  void add_bytes(uint16_t event, const session::SampleCounts::Count& count, double each,
                 std::vector<int64_t>* values) const;
  profile::SampleLabel label(uint16_t event) const { return columns_[event].kind->label; }

 private:
  struct Columns {
    size_t count;
    size_t weight;
    size_t bytes;  // of EventKind::also; 0: there are none
    const profile::EventKind* kind;
  };

  std::vector<profile::ValueType> types_;
  std::vector<Columns> columns_;  // by event
};

}  // namespace hearth::naming
