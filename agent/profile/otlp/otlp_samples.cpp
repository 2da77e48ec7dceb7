#include <algorithm>
#include <tuple>

#include "profile/model/event_view.h"
#include "profile/model/label_values.h"
#include "profile/otlp/otlp.h"
#include "profile/otlp/otlp_link.h"

namespace hearth::profile {
namespace {

// Maps kinds that OpenTelemetry's attribute does not distinguish to one, so that frames that are equal there are equal.
FrameKind told_kind(FrameKind kind) {
  switch (kind) {
    case FrameKind::kInterpreted:
    case FrameKind::kC1:
    case FrameKind::kJit:
    case FrameKind::kInlined:
    case FrameKind::kStub:
      return FrameKind::kJit;
    case FrameKind::kCpp:
      return FrameKind::kNative;
    default:
      return kind;
  }
}

std::vector<NodeId> copy_stacks(const Profile& from, Profile* to) {
  std::vector<LocationId> locations;
  for (const Location& location : from.locations()) {
    Function function = from.functions()[location.function];
    for (StringId* text : {&function.name, &function.system_name, &function.file}) *text = to->string(from.text(*text));
    function.kind = told_kind(function.kind);
    locations.push_back(to->location(to->function(function), location.line));
  }
  std::vector<NodeId> nodes = {0};
  for (NodeId node = 1; node < from.nodes().size(); node++)
    nodes.push_back(to->child(nodes[from.nodes()[node].parent], locations[from.nodes()[node].location]));
  return nodes;
}

std::vector<LabelSetId> copy_labels(const Profile& from, Profile* to) {
  std::vector<LabelSetId> ids;
  for (LabelSet labels : from.label_sets()) {
    auto is_of_span = [](const Label& label) { return is_span_label(label.key); };
    if (otlp_link(labels).empty()) labels.erase(std::remove_if(labels.begin(), labels.end(), is_of_span), labels.end());
    ids.push_back(to->label_set(std::move(labels)));
  }
  return ids;
}

// Samples of any event.
std::vector<size_t> samples_of_events(const Profile& profile) {
  std::vector<ProfileEvent> events = events_of(profile);
  std::vector<size_t> indices;
  for (size_t index = 0; index < profile.sample_count(); index++) {
    const int64_t* values = profile.values(index);
    auto is_of = [values](const ProfileEvent& event) { return values[event.weight] != 0; };
    if (events.empty() || std::any_of(events.begin(), events.end(), is_of)) indices.push_back(index);
  }
  return indices;
}

Profile merged_samples(const Profile& profile, const std::vector<bool>& shown, bool has_times) {
  Profile told;
  told.value_types = profile.value_types;
  std::vector<NodeId> nodes = copy_stacks(profile, &told);
  std::vector<LabelSetId> labels = copy_labels(profile, &told);
  // Ordered by stack: each stack is then in as few requests as possible.
  std::vector<size_t> indices = samples_of_events(profile);
  auto key = [&](size_t index) {
    const Profile::Sample& sample = profile.sample(index);
    return std::tuple(nodes[sample.stack], labels[sample.labels], sample.time);
  };
  std::stable_sort(indices.begin(), indices.end(), [&key](size_t one, size_t other) { return key(one) < key(other); });
  for (size_t index : indices) {
    const auto& [stack, set, time] = key(index);
    if (shown.empty() || shown[profile.sample(index).stack])
      told.add(stack, set, profile.values(index), has_times ? time : kNoTime);
  }
  told.pack();
  return told;
}

}  // namespace

Profile otlp_samples(const Profile& profile) {
  return merged_samples(profile, {}, false);
}

Profile otlp_samples(const Profile& profile, const std::vector<bool>& shown) {
  return merged_samples(profile, shown, true);
}

}  // namespace hearth::profile
