#include "profile/formats/text_report.h"

#include "base/formatted.h"
#include "profile/model/event_kinds.h"
#include "profile/model/quality.h"
#include "profile/model/shown_samples.h"

namespace hearth::profile {

std::string report_header(const Profile& profile) {
  const Quality& quality = profile.quality;
  const Metadata& about = profile.metadata;
  std::string out = "--- Execution profile ---\n";
  auto line = [&](std::string_view key, std::string_view value) { out += formatted("{:<21}: {}\n", key, value); };
  if (!about.event.empty()) line("Event", about.event);
  if (!about.runtime.empty()) line("Runtime", about.runtime);
  line("Total samples", std::to_string(quality.samples));
  line("Quality", quality_text(quality, about.duration_ns));
  for (const QualityRow& row : shown_rows(profile)) line(row.label, row.value);
  for (const QualityRow& row : quality_rows(quality, about.duration_ns)) line(row.label, row.value);
  return out + "\n";
}

std::string weight_unit(const Profile& profile) {
  if (profile.value_types.empty()) return "count";
  const std::string& unit = profile.value_types.back().unit;
  return unit == "nanoseconds" ? "ns" : unit;
}

std::string counted_noun(const Profile& profile) {
  if (profile.value_types.empty()) return "sample";
  const std::string& type = profile.value_types.front().type;
  const EventKind* kind = kind_of_value(type);
  return kind == nullptr ? "sample" : kind->noun;
}

}  // namespace hearth::profile
