#include "profile/analysis/sampling_variance.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "profile/model/event_kinds.h"
#include "profile/model/event_view.h"

namespace hearth::profile {
namespace {

bool has_size(const LabelSet& labels) {
  return std::any_of(labels.begin(), labels.end(),
                     [](const Label& label) { return label.key == kSizeLabel || label.key == kWaitLabel; });
}

bool all_have_sizes(const Profile& profile, size_t objects) {
  std::vector<bool> sized;
  for (const LabelSet& labels : profile.label_sets()) sized.push_back(has_size(labels));
  for (size_t index = 0; index < profile.sample_count(); index++) {
    if (profile.values(index)[objects] != 0 && !sized[profile.sample(index).labels]) return false;
  }
  return true;
}

}  // namespace

std::optional<SamplingVariance> SamplingVariance::of(const Profile& profile, size_t value) {
  for (const ProfileEvent& event : events_of(profile)) {
    if (!event.counts_objects || (value != event.count && value != event.weight)) continue;
    SamplingVariance found;
    found.objects_ = event.count;
    found.bytes_ = event.weight;
    found.is_of_bytes_ = value == event.weight;
    found.interval_ = static_cast<double>(std::max<int64_t>(interval_of(profile, event.weight), 0));
    found.threshold_ = static_cast<double>(std::max<int64_t>(profile.value_types[event.weight].threshold, 0));
    SampleLabel label = event_kind(event.name)->label;
    // Samples of one key are calls of any lengths.
    if (label == SampleLabel::kIo) return std::nullopt;
    if (label == SampleLabel::kWait) std::swap(found.interval_, found.threshold_);
    if (found.interval_ == 0 && found.threshold_ == 0) return std::nullopt;
    if (!found.is_of_bytes_ && !all_have_sizes(profile, event.count)) return std::nullopt;
    return found;
  }
  return std::nullopt;
}

double SamplingVariance::variance(const int64_t* values) const {
  auto objects = static_cast<double>(values[objects_]);
  auto bytes = static_cast<double>(values[bytes_]);
  if (objects <= 0 || bytes <= 0) return 0;
  double size = bytes / objects;
  // 1 / p - 1, without loss of precision if p is close to 1 or very small.
  double unmet = interval_ > 0 ? 1 / std::expm1(size / interval_) : 0;
  unmet = std::max(unmet, threshold_ / size - 1);
  return objects * unmet * (is_of_bytes_ ? size * size : 1);
}

std::optional<CountedVariance> CountedVariance::of(const Profile& profile, size_t value) {
  for (const ProfileEvent& event : events_of(profile)) {
    if (event.counts_objects || value != event.weight || event.count == event.weight || event.name == "holders")
      continue;
    CountedVariance found(event.count, event.weight);
    found.interval_ = static_cast<double>(std::max<int64_t>(interval_of(profile, event.weight), 0));
    found.may_be_all_ = event.name == "exception";
    if (found.interval_ == 0 && !found.may_be_all_) return std::nullopt;
    return found;
  }
  return std::nullopt;
}

double CountedVariance::variance(const int64_t* values) const {
  auto weight = static_cast<double>(values[weight_]);
  if (weight <= 0) return 0;
  // The row may have samples of other events, too.
  double mean = std::max(weight / static_cast<double>(std::max<int64_t>(values[count_], 1)), interval_);
  return weight * (may_be_all_ ? mean - 1 : mean);
}

}  // namespace hearth::profile
