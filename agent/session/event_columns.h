// Which values of the profile each event of a session fills: time counts its samples and their nanoseconds, allocation
// the objects and bytes that its samples stand for.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "profile/profile.h"
#include "session/sample_counts.h"

namespace hearth::session {

inline constexpr std::string_view kAllocEvent = "alloc";

class EventColumns {
 public:
  struct Event {
    std::string name;
    int64_t interval;    // in its unit
    int64_t one_of = 1;  // as in ValueType
  };

  // `events` by their numbers in the session.
  explicit EventColumns(const std::vector<Event>& events);

  const std::vector<profile::ValueType>& value_types() const { return types_; }

  // Adds to `values`, which are as many as the value types.
  void add(uint16_t event, const SampleCounts::Count& count, std::vector<int64_t>* values) const;
  bool is_live(uint16_t event) const { return columns_[event].is_live; }

 private:
  struct Columns {
    size_t count;
    size_t weight;
    bool counts_objects;
    bool is_live;
  };

  std::vector<profile::ValueType> types_;
  std::vector<Columns> columns_;  // by event
};

}  // namespace hearth::session
