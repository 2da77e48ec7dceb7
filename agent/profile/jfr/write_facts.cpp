#include "profile/jfr/write_facts.h"

#include <cstdlib>

#include "profile/model/event_kinds.h"
#include "profile/model/quality.h"

namespace hearth::profile::jfr {
namespace {

void put_setting(TypeId type, std::string_view name, std::string_view value, ChunkWriter* writer) {
  writer->event(TypeId::kActiveSetting, {writer->clock().ticks, writer->number_of(type), name, value});
}

}  // namespace

void put_about(const Metadata& about, const std::vector<Setting>& settings, ChunkWriter* writer) {
  constexpr int64_t kNumber = 1, kUnknown = 0, kNanosecondsPerMilli = 1'000'000;
  constexpr std::string_view kNoText;
  int64_t start = writer->clock().ticks;
  std::string name = about.producer.empty() ? "hearth " HEARTH_VERSION : about.producer;
  writer->event(TypeId::kActiveRecording,
                {start, kNumber, std::string_view(name), std::string_view(about.title), kUnknown, kUnknown,
                 about.start_unix_ns / kNanosecondsPerMilli, about.duration_ns / kNanosecondsPerMilli});
  for (const auto& [key, value] : settings) put_setting(TypeId::kActiveRecording, key, value, writer);
  std::string_view runtime = about.runtime;
  size_t blank = runtime.rfind(' ');
  std::string_view version = blank == std::string_view::npos ? kNoText : runtime.substr(blank + 1);
  writer->event(TypeId::kJvmInformation,
                {start, runtime.substr(0, blank), version, kNoText, kNoText, std::string_view(about.program), kUnknown,
                 int64_t{std::strtoll(about.pid.c_str(), nullptr, 10)}});
}

void put_interval(std::string_view event, int64_t interval, int64_t threshold, ChunkWriter* writer) {
  const EventKind* kind = event_kind(event);
  if (kind == nullptr) return;
  TypeId type = sample_type(kind);
  put_setting(type, "enabled", "true", writer);
  if (interval != 0) put_setting(type, "interval", std::to_string(interval), writer);
  if (threshold != 0) put_setting(type, "threshold", std::to_string(threshold), writer);
}

void put_intervals(const Profile& profile, ChunkWriter* writer) {
  for (const ValueType& value : profile.value_types) {
    const EventKind* kind = kind_of_value(value.type);
    if (kind == nullptr || value.type != kind->weight) continue;
    put_interval(kind->name, value.interval, value.threshold, writer);
  }
}

void put_quality(const Quality& quality, int64_t ticks, ChunkWriter* writer) {
  constexpr std::string_view kPrefix = "hearth.";
  for (const std::string& line : quality_lines(quality)) {
    std::string_view text = line;
    if (text.substr(0, kPrefix.size()) == kPrefix) text.remove_prefix(kPrefix.size());
    size_t equals = text.find('=');
    std::string_view value = equals == std::string_view::npos ? "" : text.substr(equals + 1);
    writer->event(TypeId::kQuality, {ticks, text.substr(0, equals), value});
  }
}

}  // namespace hearth::profile::jfr
