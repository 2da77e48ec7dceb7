#include "profile/analysis/compared_profiles.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/formatted.h"
#include "profile/analysis/normalized_names.h"
#include "profile/formats/formats.h"
#include "profile/model/event_view.h"

namespace hearth::profile {
namespace {

constexpr const char* kRunLabel = "run";

std::string what_is_in(const Profile& profile) {
  std::vector<std::string> names;
  for (const ProfileEvent& event : events_of(profile)) names.push_back(event.name);
  if (names.empty() && !profile.metadata.event.empty()) names.push_back(profile.metadata.event);
  if (names.empty())
    for (const ValueType& value : profile.value_types) names.push_back(value.type);
  return names.empty() ? "nothing" : joined(names, " and ");
}

[[noreturn]] void refuse_pair(const Profile& one, const Profile& other) {
  throw FormatError(formatted("one is of {}, the other of {}", what_is_in(one), what_is_in(other)));
}

std::optional<size_t> place_of(const ValueType& value, const Profile& profile) {
  const std::vector<ValueType>& types = profile.value_types;
  auto found = std::find_if(types.begin(), types.end(), [&](const ValueType& other) {
    return other.type == value.type && other.unit == value.unit;
  });
  if (found == types.end()) return std::nullopt;
  return found - types.begin();
}

}  // namespace

std::string common_event(const std::vector<ComparedRun>& runs) {
  std::vector<std::vector<ProfileEvent>> events;
  for (const ComparedRun& run : runs) {
    events.push_back(events_of(*run.profile));
    if (events.back().empty()) return "";
  }
  auto all_have = [&](const ProfileEvent& event) {
    return std::all_of(events.begin(), events.end(),
                       [&](const auto& others) { return event_named(others, event.name) != nullptr; });
  };
  if (const ProfileEvent& usual = default_event(*runs[0].profile, events[0]); all_have(usual)) return usual.name;
  auto common = std::find_if(events[0].begin(), events[0].end(), all_have);
  if (common != events[0].end()) return common->name;
  refuse_pair(*runs.front().profile, *runs.back().profile);
}

ComparedProfiles::ComparedProfiles(const std::vector<ComparedRun>& runs) : runs_(runs), columns_(runs.size()) {
  for (const ValueType& value : runs[0].profile->value_types) {
    std::vector<std::optional<size_t>> places;
    places.reserve(runs.size());
    for (const ComparedRun& run : runs) places.push_back(place_of(value, *run.profile));
    if (!std::all_of(places.begin(), places.end(), [](const auto& place) { return place.has_value(); })) continue;
    for (size_t run = 0; run < runs.size(); ++run) columns_[run].push_back(*places[run]);
  }
  if (width() == 0) refuse_pair(*runs.front().profile, *runs.back().profile);
}

Profile ComparedProfiles::empty() const {
  Profile profile;
  for (size_t side : {0, 1}) {
    auto first = std::find_if(runs_.begin(), runs_.end(), [&](const ComparedRun& run) { return run.side == side; });
    for (size_t type : columns_[static_cast<size_t>(first - runs_.begin())]) {
      profile.value_types.push_back(first->profile->value_types[type]);
      profile.value_types.back().interval = interval_of(*first->profile, type);
    }
  }
  return profile;
}

Profile ComparedProfiles::joined() const {
  Profile profile = empty();
  for (size_t run = 0; run < runs_.size(); ++run) add(run, &profile);
  return profile;
}

Profile ComparedProfiles::alone(size_t run) const {
  Profile profile = empty();
  add(run, &profile);
  return profile;
}

void ComparedProfiles::add(size_t run, Profile* joined) const {
  const Profile& profile = *runs_[run].profile;
  std::vector<FunctionId> functions;
  for (const Function& function : profile.functions())
    functions.push_back(joined->function(normalized_name(profile.text(function.name), function.kind), function.kind));
  std::vector<NodeId> nodes{0};
  for (NodeId node = 1; node < profile.nodes().size(); ++node) {
    const Location& location = profile.locations()[profile.nodes()[node].location];
    nodes.push_back(joined->child(nodes[profile.nodes()[node].parent],
                                  joined->location(functions[location.function], location.line)));
  }
  std::vector<LabelSetId> labels;
  for (LabelSet set : profile.label_sets()) {
    if (!runs_[run].name.empty()) set.push_back({kRunLabel, runs_[run].name, 0, ""});
    labels.push_back(joined->label_set(std::move(set)));
  }
  size_t side = runs_[run].side;
  std::vector<int64_t> row(2 * width());
  for (size_t index = 0; index < profile.sample_count(); ++index) {
    for (size_t i = 0; i < width(); ++i) {
      int64_t value = profile.values(index)[columns_[run][i]];
      if (value < 0)
        throw FormatError(formatted("the profile {} has negative values (a difference of profiles)", kSideNames[side]));
      row[side * width() + i] = value;
    }
    const Profile::Sample& sample = profile.sample(index);
    joined->add(nodes[sample.stack], labels[sample.labels], row.data());
  }
}

}  // namespace hearth::profile
