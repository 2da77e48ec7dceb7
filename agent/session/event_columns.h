// Which values of the profile each event of a session fills: time counts its samples and their nanoseconds, allocation
// the objects and bytes that its samples stand for, locks the contentions and nanoseconds.
#pragma once

#include <string>
#include <vector>

#include "profile/profile.h"
#include "session/sample_counts.h"

namespace hearth::session {

class EventColumns {
 public:
  struct Event {
    std::string name;
    int64_t interval;       // in its unit
    int64_t threshold = 0;  // as in ValueType
  };

  // `events` by their numbers in the session.
  explicit EventColumns(const std::vector<Event>& events);

  const std::vector<profile::ValueType>& value_types() const { return types_; }

  // Adds to `values`, which are as many as the value types.
  void add(uint16_t event, const SampleCounts::Count& count, std::vector<int64_t>* values) const;
  enum class Kind { kTime, kAllocated, kLive, kWaits };
  Kind kind(uint16_t event) const { return columns_[event].kind; }

 private:
  struct Columns {
    size_t count;
    size_t weight;
    Kind kind;
  };

  std::vector<profile::ValueType> types_;
  std::vector<Columns> columns_;  // by event
};

}  // namespace hearth::session
