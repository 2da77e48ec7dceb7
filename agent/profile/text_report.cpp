#include "profile/text_report.h"

#include "base/formatted.h"
#include "profile/quality.h"

namespace hearth::profile {

std::string report_header(const Profile& profile) {
  const Quality& quality = profile.quality;
  const Metadata& about = profile.metadata;
  std::string out = "--- Execution profile ---\n";
  auto line = [&](std::string_view key, std::string_view value) { out += formatted("{:<20}: {}\n", key, value); };
  if (!about.event.empty()) line("Event", about.event);
  if (!about.runtime.empty()) line("Runtime", about.runtime);
  line("Total samples", std::to_string(quality.samples));
  line("Quality", quality_text(quality, about.duration_ns));
  for (const auto& [word, count] : quality.failures) {
    double percent = percent_of(static_cast<int64_t>(count), static_cast<int64_t>(quality.samples));
    line(word, formatted("{} ({:.2f}%)", count, percent));
  }
  if (quality.truncated > 0) line("truncated", std::to_string(quality.truncated));
  for (const std::string& note : quality.notes) line("Note", note);
  return out + "\n";
}

std::string weight_unit(const Profile& profile) {
  if (profile.value_types.empty()) return "count";
  const std::string& unit = profile.value_types.back().unit;
  return unit == "nanoseconds" ? "ns" : unit;
}

double percent_of(int64_t part, int64_t whole) {
  return whole == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace hearth::profile
