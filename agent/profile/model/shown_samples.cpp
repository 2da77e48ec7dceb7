#include "profile/model/shown_samples.h"

#include "base/formatted.h"
#include "profile/formats/amount_text.h"
#include "profile/model/event_view.h"

namespace hearth::profile {

std::optional<uint64_t> samples_with(const Profile& profile, size_t value) {
  for (const ProfileEvent& event : events_of(profile)) {
    bool is_its = value == event.weight || value == event.count;
    if (!is_its || event.counts_objects) continue;
    uint64_t samples = 0;
    for (size_t index = 0; index < profile.sample_count(); index++) {
      const int64_t* values = profile.values(index);
      bool is_counted = values[value] != 0 && values[event.count] > 0;
      if (is_counted) samples += static_cast<uint64_t>(values[event.count]);
    }
    return samples;
  }
  return std::nullopt;
}

std::vector<QualityRow> shown_rows(const Profile& view) {
  std::vector<QualityRow> rows;
  if (view.value_types.empty()) return rows;
  std::optional<uint64_t> samples = samples_with(view, view.value_types.size() - 1);
  if (!samples) return rows;
  auto counted = [](uint64_t count) { return amount_text(static_cast<int64_t>(count), "count"); };
  if (*samples < view.quality.samples)
    rows.push_back({"Shown here", formatted("{} of {} samples", counted(*samples), counted(view.quality.samples))});
  if (*samples > 0 && *samples < kFewSamples)
    rows.push_back({"Few samples", "small shares may be chance; a longer run or a shorter interval gives more"});
  return rows;
}

}  // namespace hearth::profile
