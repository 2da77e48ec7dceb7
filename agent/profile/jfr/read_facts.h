// Facts of a recording: settings, the JVM, collections, losses.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "profile/jfr/read_constants.h"
#include "profile/jfr/read_header.h"
#include "profile/jfr/read_record.h"
#include "profile/jfr/read_types.h"
#include "profile/model/profile.h"

namespace hearth::profile::jfr::recorded {

// The events that are facts; each has its reader in Facts.
enum class FactEvent : uint8_t {
  kSetting,
  kRecording,
  kJvm,
  kDataLoss,
  kLostSamples,
  kPause,
  kCollection,
  kQuality,
  kNone
};
inline constexpr size_t kFactEvents = static_cast<size_t>(FactEvent::kNone);

struct FactRow {
  std::string_view type;
  std::vector<std::string_view> fields;
};
const FactRow& row_of(FactEvent event);

class Facts {
 public:
  // The chunk that the next events are of.
  struct Place {
    const Chunk& chunk;
    const Types& types;
    Constants* constants;
  };

  void add(FactEvent event, const RecordReader& reader, const Record& record, const Place& place);

  // The value of a setting of an event; "" if it is not known.
  std::string_view setting(std::string_view type, std::string_view name) const;
  // The event that jdk.ExecutionSample counts, if async-profiler sampled another one than time; "": none.
  std::string_view counter() const;
  // The sampling period of an event, of counter() a number of these; 0 if it is not known.
  int64_t period_ns(std::string_view type) const;
  bool is_of_async_profiler() const { return producer_.rfind("async-profiler", 0) == 0; }

  void put_into(Metadata* metadata, Quality* quality) const;

 private:
  void add_setting(const Record& record, const Place& place);
  void add_jvm(const Record& record, const Place& place);

  std::map<std::string, std::string, std::less<>> settings_;  // by "TYPE#NAME"
  std::string producer_ = "JDK Flight Recorder";
  std::string runtime_;
  std::string program_;
  std::string pid_;
  uint64_t lost_bytes_ = 0;
  uint64_t lost_samples_ = 0;
  uint64_t pauses_ = 0;
  int64_t pause_ns_ = 0;
  uint64_t collections_ = 0;
  int64_t collection_pause_ns_ = 0;
  Quality own_;  // of a recording by hearth
  bool has_own_ = false;
};

// Nanoseconds of "20 ms", or of a number of nanoseconds; 0 if it is neither.
int64_t period_ns(std::string_view text);

// A field that is a duration.
int64_t duration_ns(const Chunk& chunk, TimeUnit unit, uint64_t value);

}  // namespace hearth::profile::jfr::recorded
