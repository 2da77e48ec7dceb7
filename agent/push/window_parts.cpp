#include "push/window_parts.h"

#include <algorithm>

#include "base/formatted.h"
#include "profile/event_view.h"
#include "profile/formats.h"
#include "profile/label_values.h"
#include "profile/merged_profile.h"

namespace hearth::push {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

// Of each value of a text label such servers make a series, and threads and traces come and go. Pyroscope keeps span_id
// beside the samples, but refuses a profile of more than 16,000, which spans soon make (pkg/validation/limits.go).
bool keep_label(profile::Label* label) {
  return label->key != "tid" && label->key != profile::kThreadLabel && !profile::is_span_label(label->key);
}

bool has_samples(const profile::Profile& profile, const profile::ProfileEvent& event) {
  for (size_t index = 0; index < profile.sample_count(); index++)
    if (profile.values(index)[event.weight] != 0) return true;
  return false;
}

// "&sampleRate=50"; "" of what is not sampled by time.
std::string sample_rate(const profile::Profile& part) {
  const profile::ValueType& weight = part.value_types.back();
  if (weight.unit != "nanoseconds" || weight.interval <= 0) return "";
  return formatted("&sampleRate={}", std::max<int64_t>(kSecond / weight.interval, 1));
}

}  // namespace

WindowParts::WindowParts(std::string_view pprof) {
  profile::MergedProfile merged(keep_label);
  merged.add(profile::read_pprof(pprof));
  profile_ = merged.take();
  for (const profile::ProfileEvent& event : profile::events_of(profile_))
    if (has_samples(profile_, event)) events_.push_back(event.name);
}

PushPart WindowParts::part(size_t index, const PushTarget& target, const store::StoredWindow& window) const {
  profile::Profile one = profile::only_events(profile_, {events_[index]});
  int64_t from = window.begin_ns / kSecond;
  int64_t until = std::max((window.end_ns() + kSecond - 1) / kSecond, from + 1);
  PushPart part;
  part.query = formatted("/ingest?name={}&from={}&until={}&format=pprof&spyName=hearth{}",
                         percent_encoded(target.name()), from, until, sample_rate(one));
  part.body = profile::write_pprof(one, {});
  return part;
}

}  // namespace hearth::push
