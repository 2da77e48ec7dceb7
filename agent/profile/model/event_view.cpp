#include "profile/model/event_view.h"

#include <algorithm>

#include "base/formatted.h"
#include "base/text_parts.h"
#include "profile/formats/amount_text.h"
#include "profile/model/event_kinds.h"
#include "profile/model/stack_copier.h"

namespace hearth::profile {
namespace {

const std::string* state_of(const LabelSet& labels) {
  for (const Label& label : labels) {
    if (label.key == kStateLabel && !label.text.empty()) return &label.text;
  }
  return nullptr;
}

bool has_states(const Profile& profile) {
  const std::vector<LabelSet>& sets = profile.label_sets();
  return std::any_of(sets.begin(), sets.end(), [](const LabelSet& set) { return state_of(set) != nullptr; });
}

// Everything is created in the same order, so ids stay the same.
Profile copy_without_samples(const Profile& profile) {
  Profile copy;
  copy.value_types = profile.value_types;
  copy.metadata = profile.metadata;
  copy.quality = profile.quality;
  for (std::string_view text : profile.strings()) copy.string(text);
  for (const Function& function : profile.functions()) copy.function(function);
  for (const Location& location : profile.locations()) copy.location(location.function, location.line);
  for (size_t node = 1; node < profile.nodes().size(); node++)
    copy.child(profile.nodes()[node].parent, profile.nodes()[node].location);
  for (const LabelSet& labels : profile.label_sets()) copy.label_set(labels);
  return copy;
}

// A profile that was read from a page has both the frame and the label.
NodeId stack_in_state(Profile* profile, NodeId stack, const std::string& state) {
  FunctionId frame = profile->function(formatted("[{}]", state), FrameKind::kMarker);
  if (stack != 0 && profile->function_of(stack) == frame) return stack;
  return profile->child(stack, profile->location(frame, 0));
}

std::string no_event_text(const std::string& asked, const std::vector<ProfileEvent>& events) {
  std::vector<std::string> names;
  names.reserve(events.size());
  for (const ProfileEvent& event : events) names.push_back(event.name);
  return formatted("the profile has no event {}; it has {}", asked, names.empty() ? "none" : joined(names, ", "));
}

// The event of objects whose two values begin here; null: none.
const EventKind* kind_of_pair(const std::vector<ValueType>& types, size_t type) {
  const EventKind* kind = kind_of_value(types[type].type);
  bool is_pair = kind != nullptr && kind->counts_objects() && types[type].type == kind->count &&
                 type + 1 < types.size() && types[type + 1].type == kind->weight;
  return is_pair ? kind : nullptr;
}

// The event of a value that is counted in "samples": its kind's name, else that of the value.
std::string event_of_amount(const std::string& type) {
  const EventKind* kind = kind_of_value(type);
  return kind != nullptr && !kind->counts_objects() ? kind->name : type;
}

// Values of these events, and of those that their samples count for as well, in the order of the profile.
std::vector<size_t> values_of(const Profile& profile, const std::vector<std::string>& names) {
  std::vector<ProfileEvent> events = events_of(profile);
  std::vector<size_t> values;
  for (const std::string& name : names) {
    auto event = std::find_if(events.begin(), events.end(), [&](const ProfileEvent& one) { return one.name == name; });
    if (event == events.end()) throw FormatError(no_event_text(name, events));
    values.insert(values.end(), {event->count, event->weight});
    if (const ProfileEvent* also = event_named(events, kind_of_event(name).also))
      values.insert(values.end(), {also->count, also->weight});
  }
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

// Value types to show: all, or the two of one event.
std::vector<size_t> shown_values(const Profile& profile, Format format, const WriteOptions& options) {
  std::vector<size_t> all(profile.value_types.size());
  for (size_t type = 0; type < all.size(); type++) all[type] = type;
  std::vector<ProfileEvent> events = events_of(profile);
  const ProfileEvent* shown = event_named(events, options.event);
  if (!options.event.empty() && shown == nullptr) throw FormatError(no_event_text(options.event, events));
  if (format == Format::kFlameGraph || events.size() < 2) return all;
  const ProfileEvent& event = shown == nullptr ? default_event(profile, events) : *shown;
  return {event.count, event.weight};
}

// Of samples with any labels.
std::optional<Profile> view_of_all(const Profile& profile, Format format, const WriteOptions& options) {
  if (format == Format::kPprof || format == Format::kJfr || format == Format::kOtlp) return std::nullopt;
  std::vector<size_t> values = shown_values(profile, format, options);
  if (values.size() == profile.value_types.size() && !has_states(profile)) return std::nullopt;
  Profile view = copy_without_samples(profile);
  view.value_types.clear();
  for (size_t type : values) view.value_types.push_back(profile.value_types[type]);
  if (values.size() < profile.value_types.size()) {
    view.metadata.event = event_of_value(profile, values.back());
    view.metadata.interval = interval_of(profile, values.back());
  }
  std::vector<int64_t> row(values.size());
  for (size_t index = 0; index < profile.sample_count(); index++) {
    for (size_t i = 0; i < values.size(); i++) row[i] = profile.values(index)[values[i]];
    // A sample of another event.
    if (values.size() < profile.value_types.size() && row.back() == 0) continue;
    const Profile::Sample& sample = profile.sample(index);
    const std::string* state = state_of(profile.label_sets()[sample.labels]);
    NodeId stack = sample.stack;
    if (state != nullptr && *state != kRunningState) stack = stack_in_state(&view, stack, *state);
    view.add(stack, sample.labels, row.data(), sample.time);
  }
  return view;
}

}  // namespace

std::vector<ProfileEvent> events_of(const Profile& profile) {
  const std::vector<ValueType>& types = profile.value_types;
  std::vector<ProfileEvent> events;
  auto is_samples = [](const ValueType& type) { return type.type == kSamplesType; };
  auto samples = static_cast<size_t>(std::find_if(types.begin(), types.end(), is_samples) - types.begin());
  for (size_t type = 0; type < types.size(); type++) {
    if (type == samples) continue;
    if (const EventKind* kind = kind_of_pair(types, type)) {
      events.push_back({kind->name, type, type + 1, true});
      type++;
    } else if (samples < types.size()) {
      events.push_back({event_of_amount(types[type].type), samples, type});
    } else {
      return {};
    }
  }
  return events;
}

const ProfileEvent* event_named(const std::vector<ProfileEvent>& events, std::string_view name) {
  auto found =
      std::find_if(events.begin(), events.end(), [&](const ProfileEvent& event) { return event.name == name; });
  return found == events.end() ? nullptr : &*found;
}

std::string event_of_value(const Profile& profile, size_t value) {
  for (const ProfileEvent& event : events_of(profile)) {
    if (event.weight == value || (event.counts_objects && event.count == value)) return event.name;
  }
  return "";
}

const ProfileEvent& default_event(const Profile& profile, const std::vector<ProfileEvent>& events) {
  for (std::string_view name : {std::string_view(profile.metadata.shown_event), std::string_view(kLiveEvent)}) {
    if (const ProfileEvent* event = event_named(events, name)) return *event;
  }
  return events.front();
}

Profile only_events(const Profile& profile, const std::vector<std::string>& names) {
  std::vector<size_t> values = values_of(profile, names);
  Profile part;
  part.metadata = profile.metadata;
  part.quality = profile.quality;
  part.metadata.event = joined(names, ", ");
  part.metadata.interval = interval_of(profile, values.back());
  for (size_t type : values) part.value_types.push_back(profile.value_types[type]);
  StackCopier stacks(&profile, &part);
  std::vector<int64_t> row(values.size());
  for (size_t index = 0; index < profile.sample_count(); index++) {
    bool is_theirs = false;
    for (size_t i = 0; i < values.size(); i++) {
      row[i] = profile.values(index)[values[i]];
      // Samples of all events are counted together.
      is_theirs |= row[i] != 0 && profile.value_types[values[i]].type != kSamplesType;
    }
    if (!is_theirs) continue;
    const Profile::Sample& sample = profile.sample(index);
    part.add(stacks.copy(sample.stack), part.label_set(profile.label_sets()[sample.labels]), row.data(), sample.time);
  }
  return part;
}

std::string events_text(const Profile& profile) {
  std::vector<std::string> names;
  for (std::string_view name : parts_of(profile.metadata.event, ','))
    names.emplace_back(name.substr(std::min(name.find_first_not_of(' '), name.size())));
  std::vector<ProfileEvent> events = events_of(profile);
  if (names.size() != events.size()) return profile.metadata.event;
  for (size_t i = 0; i < names.size(); i++) {
    int64_t interval = interval_of(profile, events[i].weight);
    if (interval > 0) names[i] += " every " + interval_text(interval, profile.value_types[events[i].weight].unit);
  }
  return joined(names, ", ");
}

std::optional<Profile> view_of(const Profile& profile, Format format, const WriteOptions& options) {
  if (options.labels.empty()) return view_of_all(profile, format, options);
  Profile part = only_labelled(profile, options.labels);
  std::optional<Profile> view = view_of_all(part, format, options);
  return view ? std::move(*view) : std::move(part);
}

}  // namespace hearth::profile
