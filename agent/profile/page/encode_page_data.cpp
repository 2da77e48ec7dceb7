#include <nlohmann/json.hpp>

#include "profile/model/event_view.h"
#include "profile/model/quality.h"
#include "profile/model/shown_samples.h"
#include "profile/page/encode_tree.h"
#include "profile/page/min_width.h"
#include "profile/page/page_data.h"
#include "profile/page/page_tree.h"

namespace hearth::profile {
namespace {

constexpr int64_t kNanosecondsPerMillisecond = 1'000'000;

// The value shown first. If there are several events, that of the default event: the sum of their samples measures
// nothing. For allocations the bytes, which cause the collector's work.
size_t lens_index(const Profile& profile, const WriteOptions& options) {
  std::vector<ProfileEvent> events = events_of(profile);
  if (events.empty())
    return options.lens != Lens::kTotal || profile.value_types.empty() ? 0 : profile.value_types.size() - 1;
  const ProfileEvent* chosen = event_named(events, options.event);
  const ProfileEvent& event = chosen == nullptr ? default_event(profile, events) : *chosen;
  if (event.counts_objects) return options.lens == Lens::kSamples ? event.count : event.weight;
  return events.size() > 1 || options.lens == Lens::kTotal ? event.weight : event.count;
}

nlohmann::json header_json(const Profile& profile, const WriteOptions& options, const PageTree& tree) {
  nlohmann::json header = origin_json(profile.metadata, profile.quality);
  header["title"] = page_title(profile, options);
  header["values"] = values_json(profile.value_types, tree);
  for (size_t value = 0; value < profile.value_types.size(); value++)
    if (std::optional<uint64_t> samples = samples_with(profile, value)) header["values"][value]["samples"] = *samples;
  header["lens"] = lens_index(profile, options);
  add_view(options, &header);
  return header;
}

}  // namespace

std::string page_title(const Profile& profile, const WriteOptions& options) {
  if (!options.title.empty()) return options.title;
  if (!profile.metadata.title.empty()) return profile.metadata.title;
  return profile.metadata.event.empty() ? "Flame graph" : profile.metadata.event + " flame graph";
}

nlohmann::json origin_json(const Metadata& about, const Quality& quality) {
  return {
      {"title", about.title},
      {"event", about.event},
      {"interval", about.interval},
      {"start_unix_ms", about.start_unix_ns / kNanosecondsPerMillisecond},
      {"duration_ns", about.duration_ns},
      {"producer", about.producer},
      {"runtime", about.runtime},
      {"program", about.program},
      {"pid", about.pid},
      {"host", about.host},
      {"quality", quality_json(quality)},
  };
}

std::string encode_page_data(const Profile& profile, const WriteOptions& options) {
  auto encoded = [&](PageTree tree) {
    nlohmann::json header = header_json(profile, options, tree);
    return encode_tree(std::move(header), std::move(tree));
  };
  if (options.minwidth <= 0 || profile.value_types.empty()) return encoded(page_tree(profile, options));
  Profile wide = without_narrow_nodes(profile, options, lens_index(profile, options));
  return encoded(page_tree(wide, {}));  // include and exclude are done
}

}  // namespace hearth::profile
