#include "profile/jfr/read_facts.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/formatted.h"
#include "profile/codec/utf8.h"
#include "profile/formats/amount_text.h"
#include "profile/jfr/layout.h"
#include "profile/model/quality.h"

namespace hearth::profile::jfr::recorded {
namespace {

constexpr int64_t kUnknown = -1;  // of Quality::own_cpu_ns

enum SettingField : size_t { kEventId, kName, kValue };
enum JvmField : size_t { kJvmName, kJvmVersion, kJavaArguments, kPid };

// In the order of FactEvent.
const FactRow kRows[] = {
    {type::kActiveSetting, {"id", "name", "value"}},
    {type::kActiveRecording, {"name"}},
    {type::kJVMInformation, {"jvmName", "jvmVersion", "javaArguments", "pid"}},
    {"jdk.DataLoss", {"amount"}},
    {"jdk.CPUTimeSamplesLost", {"lostSamples"}},
    {type::kGCPhasePause, {"duration"}},
    {"jdk.GarbageCollection", {"sumOfPauses"}},
    {type::kQuality, {"name", "value"}},
};
static_assert(std::size(kRows) == kFactEvents);

// "OpenJDK 64-Bit Server VM (17.0.15+6-Debian-1) for linux-amd64 JRE (…)": the first word in brackets.
std::string_view version_in(std::string_view text) {
  size_t open = text.find('('), close = text.find(')', open);
  if (open == std::string_view::npos || close == std::string_view::npos) return text;
  return text.substr(open + 1, close - open - 1);
}

}  // namespace

const FactRow& row_of(FactEvent event) {
  return kRows[static_cast<size_t>(event)];
}

int64_t period_ns(std::string_view text) {
  constexpr std::pair<std::string_view, double> kUnits[] = {{"", 1},    {"ns", 1},   {"us", 1e3},   {"ms", 1e6},
                                                            {"s", 1e9}, {"m", 60e9}, {"h", 3600e9}, {"d", 86400e9}};
  double number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return 0;
  std::string_view unit = text.substr(static_cast<size_t>(end - text.data()));
  unit.remove_prefix(std::min(unit.find_first_not_of(' '), unit.size()));
  for (auto [name, ns] : kUnits)
    if (name == unit && number * ns > 0 && number * ns < 1e18) return std::llround(number * ns);
  return 0;
}

int64_t duration_ns(const Chunk& chunk, TimeUnit unit, uint64_t value) {
  auto number = static_cast<int64_t>(value);
  auto scaled = [number](int64_t scale) {
    int64_t result = 0;
    return __builtin_mul_overflow(number, scale, &result) ? INT64_MAX : result;
  };
  int64_t duration = 0;
  switch (unit) {
    case TimeUnit::kTicks:
      duration = chunk.ticks_ns(number);
      break;
    case TimeUnit::kNone:
    case TimeUnit::kNanoseconds:
      duration = number;
      break;
    case TimeUnit::kMicroseconds:
      duration = scaled(1'000);
      break;
    case TimeUnit::kMilliseconds:
      duration = scaled(1'000'000);
      break;
    case TimeUnit::kSeconds:
      duration = scaled(1'000'000'000);
      break;
  }
  return std::max<int64_t>(duration, 0);  // the JVM writes the smallest number for "forever" and "unknown"
}

void Facts::add(FactEvent event, const RecordReader& reader, const Record& record, const Place& place) {
  switch (event) {
    case FactEvent::kSetting:
      return add_setting(record, place);
    case FactEvent::kRecording: {
      std::string_view name = place.constants->string_at(record[0]);
      for (std::string_view known : {"async-profiler", "hearth"})
        if (name.substr(0, known.size()) == known) producer_ = shown_text(name);
      return;
    }
    case FactEvent::kJvm:
      return add_jvm(record, place);
    case FactEvent::kDataLoss:
      lost_bytes_ += record[0];
      return;
    case FactEvent::kLostSamples:
      lost_samples_ += record[0];
      return;
    case FactEvent::kPause:
      ++pauses_;
      pause_ns_ = saturating_sum(pause_ns_, duration_ns(place.chunk, reader.unit(0), record[0]));
      return;
    case FactEvent::kCollection:
      ++collections_;
      collection_pause_ns_ = saturating_sum(collection_pause_ns_, duration_ns(place.chunk, reader.unit(0), record[0]));
      return;
    case FactEvent::kQuality: {
      std::string line = formatted("hearth.{}=", place.constants->string_at(record[0]));
      has_own_ |= read_quality_line(shown_text(line.append(place.constants->string_at(record[1]))), own_);
      return;
    }
    case FactEvent::kNone:
      return;
  }
}

void Facts::add_setting(const Record& record, const Place& place) {
  constexpr size_t kMost = 10'000, kLongest = 1000;
  const Type* type = place.types.of(record[kEventId]);
  if (type == nullptr || settings_.size() >= kMost) return;
  std::string key = formatted("{}#{}", type->name, place.constants->string_at(record[kName]));
  std::string_view value = place.constants->string_at(record[kValue]);
  if (key.size() < kLongest && value.size() < kLongest) settings_[key] = value;
}

void Facts::add_jvm(const Record& record, const Place& place) {
  std::string name = shown_text(place.constants->string_at(record[kJvmName]));
  std::string version = shown_text(version_in(place.constants->string_at(record[kJvmVersion])));
  runtime_ = name.empty() ? version : formatted("{} {}", name, version);
  // Without its arguments, which may contain passwords.
  std::string_view arguments = place.constants->string_at(record[kJavaArguments]);
  program_ = shown_text(arguments.substr(0, arguments.find(' ')));
  if (record[kPid] != 0) pid_ = std::to_string(record[kPid]);
}

std::string_view Facts::setting(std::string_view type, std::string_view name) const {
  auto found = settings_.find(formatted("{}#{}", type, name));
  return found == settings_.end() ? std::string_view() : found->second;
}

std::string_view Facts::counter() const {
  std::string_view event = setting(type::kActiveRecording, "event");
  constexpr std::string_view kOthers[] = {"", "cpu", "cpu-clock", "ctimer", "itimer", "wall", "alloc", "lock"};
  bool is_other = std::find(std::begin(kOthers), std::end(kOthers), event) != std::end(kOthers);
  return is_of_async_profiler() && !is_other ? event : std::string_view();
}

int64_t Facts::period_ns(std::string_view type) const {
  constexpr int64_t kUsualCpu = 10'000'000, kUsualWall = 50'000'000;  // async-profiler's
  for (std::string_view name : {"period", "interval", "alloc", "lock"})
    if (int64_t period = recorded::period_ns(setting(type, name)); period > 0) return period;
  if (!is_of_async_profiler()) return 0;
  if (type == type::kExecutionSample) return counter().empty() ? kUsualCpu : 1;
  if (type != type::kWallClockSample) return 0;
  int64_t wall = recorded::period_ns(setting(type::kExecutionSample, "wall"));
  bool is_only = setting(type::kActiveRecording, "event") == "wall";
  if (wall == 0 && is_only) wall = recorded::period_ns(setting(type::kExecutionSample, "interval"));
  return wall > 0 ? wall : kUsualWall;
}

void Facts::put_into(Metadata* metadata, Quality* quality) const {
  metadata->producer = producer_;
  metadata->runtime = runtime_;
  metadata->program = program_;
  metadata->pid = pid_;
  quality->engine = is_of_async_profiler() ? "async-profiler" : "JFR";
  quality->own_cpu_ns = kUnknown;
  if (has_own_) *quality = own_;
  if (has_own_) return;
  quality->lost = lost_samples_;
  bool has_pauses = pauses_ > 0;
  quality->gc_pauses = has_pauses ? pauses_ : collections_;
  quality->gc_pause_ns = has_pauses ? pause_ns_ : collection_pause_ns_;
  if (lost_bytes_ > 0)
    quality->notes.push_back(formatted("the JVM lost {} of events: its buffers were full (jdk.DataLoss)",
                                       amount_text(static_cast<int64_t>(lost_bytes_), "bytes")));
}

}  // namespace hearth::profile::jfr::recorded
