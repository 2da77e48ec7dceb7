// Writes samples as events of JFR: one type for each event of hearth, by its row of kEventKinds.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "profile/jfr/types.h"
#include "profile/jfr/write_chunk.h"
#include "profile/model/event_kinds.h"
#include "profile/model/profile.h"

namespace hearth::profile::jfr {

// Where an object was allocated.
enum class Place : uint8_t { kUnknown, kTlab, kOutside };

// One sample, with its parts in the constant pools.
struct SampleRecord {
  int64_t ticks = 0;
  int64_t weight = 0;  // in the event's unit
  int64_t count = 0;   // of samples, objects or waits
  int64_t thread = 0;
  int64_t stack = 0;
  int64_t object = 0;   // class of the object or lock
  int64_t size = 0;     // of one object, at least; 0: not known
  int64_t address = 0;  // of native memory; 0: not known
  int64_t bytes = 0;    // that I/O moved
  Place place = Place::kUnknown;
  bool is_parked = false;  // a lock of java.util.concurrent
  int64_t state = 0;
  int64_t message = 0;  // of an exception
  int64_t labels = 0;
  int64_t trace = 0;
  int64_t span = 0;
};

// An event, by its row or, without one, by its words.
struct SampledEvent {
  const EventKind* kind = nullptr;
  std::string name;
  std::string unit;
};

// Writes samples with a sum of `total.count` and `total.weight`: as many records up to a bound, spread evenly over
// `span` ticks from `total.ticks`, or one with the sums where the event's type has a field for the count.
void put_samples(const SampledEvent& event, const SampleRecord& total, int64_t span, ChunkWriter* writer);

// Writes that sampled native memory was freed.
void put_release(int64_t ticks, int64_t thread, int64_t address, ChunkWriter* writer);

// Writes a span that the program has reported: times are nanoseconds of the clock of ticks. `thread`: its number in the
// constant pool.
void put_span(int64_t start_ns, int64_t end_ns, int64_t thread, std::string_view tag, ChunkWriter* writer);

// Writes an event of the program's own. `content`: any bytes, each of which becomes the character with its number.
void put_user_event(int64_t at_ns, int64_t thread, std::string_view type, std::string_view content,
                    ChunkWriter* writer);

// The parts of a function's name. Views of `profile`, and of `scratch`.
MethodParts method_parts(const Profile& profile, const Function& function, std::string* scratch);

// The JVM's spelling of a class as a profile shows it: [B for byte[], java/lang/String for java.lang.String. Removes
// the suffix for the place of an allocation.
struct ClassOfObject {
  std::string name;
  Place place = Place::kUnknown;
};
ClassOfObject class_of_object(std::string_view shown);

// Whether the innermost frame is that of a parked thread.
bool is_park(const Profile& profile, const Function& function);

// A sample's labels. `others`: those without a field of their own, as "key=value;key=value", in which a backslash comes
// before ; = and \ of keys and values.
struct LabelFields {
  std::string thread;
  int64_t tid = 0;
  std::string state;
  std::string trace;
  std::string span;
  int64_t size = 0;
  std::string message;  // in `others` as well
  std::string others;
};
LabelFields fields_of(const LabelSet& labels, const SampledEvent& event);

}  // namespace hearth::profile::jfr
