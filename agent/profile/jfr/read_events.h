// The events that are samples, of the JDK, async-profiler, OpenJ9 and GraalVM: what each counts.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "profile/jfr/read_samples.h"

namespace hearth::profile::jfr::recorded {

// The weight of an event.
enum class Weight : uint8_t {
  kPeriod,  // the event's sampling period, as often as its field `samples` has it
  kOne,
  kField,  // a number or a duration, as the column's unit is
  kNamed,  // a number of an event that the record names, with its unit
};

struct EventRow {
  std::string_view type;
  Column column;
  Weight weight;
  std::string_view weight_field;
  std::string_view size_field;    // of an object, if the weight is that of all objects that it stands for
  std::string_view class_field;   // its class is the innermost frame
  std::string_view label_field;   // a text
  std::string_view label;         // its key
  Column second = Column::kNone;  // of the same event
  std::string_view second_field{};
  std::string_view class_suffix{};  // of the class's frame
};

const std::vector<EventRow>& event_rows();

// Fields of an event, by their number in fields_of().
namespace field {
enum Event : size_t {
  kTime,
  kSampledThread,
  kEventThread,
  kStack,
  kState,
  kSampleCount,
  kHasFailed,
  kWeight,
  kSize,
  kObject,
  kLabel,
  kSecond,
  // Of hearth's own recordings.
  kOwnWeight,
  kObjects,
  kWaits,
  kLabels,
  kTraceId,
  kSpanId,
  kEventName,
  kUnit,
};
}  // namespace field

// The field of jdk.OldObjectSample with the object, not its class.
inline constexpr std::string_view kObjectField = "object";

std::vector<std::string_view> fields_of(const EventRow& row);

// A thread's state in the words of sessions: "sleeping" for STATE_SLEEPING; "" if there is none.
std::string state_word(std::string_view state);

}  // namespace hearth::profile::jfr::recorded
