#include "profile/difference.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <utility>

#include "base/formatted.h"
#include "profile/comparable_names.h"
#include "profile/event_view.h"
#include "profile/summary.h"

namespace hearth::profile {
namespace {

constexpr const char* kSides[] = {"before", "after"};

std::string what_is_in(const Profile& profile) {
  std::vector<std::string> names;
  for (const ProfileEvent& event : events_of(profile)) names.push_back(event.name);
  if (names.empty() && !profile.metadata.event.empty()) names.push_back(profile.metadata.event);
  if (names.empty())
    for (const ValueType& value : profile.value_types) names.push_back(value.type);
  return names.empty() ? "nothing" : joined(names, " and ");
}

[[noreturn]] void refuse_pair(const Profile& before, const Profile& after) {
  throw FormatError(formatted("one is of {}, the other of {}", what_is_in(before), what_is_in(after)));
}

// What both have and is shown first; "" where one does not tell its events.
std::string common_event(const Profile& before, const Profile& after) {
  std::vector<ProfileEvent> ours = events_of(before), theirs = events_of(after);
  if (ours.empty() || theirs.empty()) return "";
  if (event_named(theirs, default_event(ours).name) != nullptr) return default_event(ours).name;
  for (const ProfileEvent& event : ours)
    if (event_named(theirs, event.name) != nullptr) return event.name;
  refuse_pair(before, after);
}

// Two profiles in one: its values are those that both have, of the first and then of the second.
class Union {
 public:
  Union(const Profile& before, const Profile& after) {
    for (size_t ours = 0; ours < before.value_types.size(); ++ours) {
      for (size_t theirs = 0; theirs < after.value_types.size(); ++theirs) {
        const ValueType &one = before.value_types[ours], &other = after.value_types[theirs];
        if (one.type != other.type || one.unit != other.unit) continue;
        columns_[0].push_back(ours);
        columns_[1].push_back(theirs);
        break;
      }
    }
    if (columns_[0].empty()) refuse_pair(before, after);
    name_values(before, 0);
    name_values(after, 1);
    add(before, 0);
    add(after, 1);
  }

  Profile take() { return std::move(both_); }

 private:
  void name_values(const Profile& profile, size_t side) {
    for (size_t type : columns_[side]) {
      both_.value_types.push_back(profile.value_types[type]);
      both_.value_types.back().interval = interval_of(profile, type);
    }
  }

  void add(const Profile& profile, size_t side) {
    std::vector<FunctionId> functions;
    for (const Function& function : profile.functions())
      functions.push_back(both_.function(comparable_name(profile.text(function.name), function.kind), function.kind));
    std::vector<NodeId> nodes{0};
    for (NodeId node = 1; node < profile.nodes().size(); ++node) {
      const Location& location = profile.locations()[profile.nodes()[node].location];
      nodes.push_back(both_.child(nodes[profile.nodes()[node].parent],
                                  both_.location(functions[location.function], location.line)));
    }
    size_t width = columns_[side].size();
    std::vector<int64_t> row(2 * width);
    for (size_t index = 0; index < profile.sample_count(); ++index) {
      for (size_t i = 0; i < width; ++i) {
        int64_t value = profile.values(index)[columns_[side][i]];
        if (value < 0)
          throw FormatError(formatted("the profile {} has negative values (a difference of profiles)", kSides[side]));
        row[side * width + i] = value;
      }
      const Profile::Sample& sample = profile.sample(index);
      both_.add(nodes[sample.stack], both_.label_set(profile.label_sets()[sample.labels]), row.data());
    }
  }

  std::vector<size_t> columns_[2];  // of each profile, those that both have
  Profile both_;
};

double size_of(const Change& change) {
  return std::abs(change.change());
}

bool changed_more(const MethodChange& a, const MethodChange& b) {
  bool a_is_noise = a.self_change.is_noise() && a.total_change.is_noise();
  bool b_is_noise = b.self_change.is_noise() && b.total_change.is_noise();
  if (a_is_noise != b_is_noise) return b_is_noise;
  double a_self = size_of(a.self_change), b_self = size_of(b.self_change);
  if (a_self != b_self) return a_self > b_self;
  double a_total = size_of(a.total_change), b_total = size_of(b.total_change);
  return a_total != b_total ? a_total > b_total : a.name < b.name;
}

}  // namespace

const char* word_of_change(const Measured& measured, const Change& change) {
  if (measured.values[0] == 0 && measured.values[1] != 0) return "new";
  if (measured.values[1] == 0 && measured.values[0] != 0) return "vanished";
  if (change.change() == 0) return "same";
  return change.change() > 0 ? "grew" : "shrank";
}

Difference::Difference(const Profile& before, const Profile& after, const DifferenceOptions& options)
    : event_(options.write.event), scale_(options.scale), annotate_(options.write.annotate) {
  if (event_.empty()) event_ = common_event(before, after);
  WriteOptions chosen = options.write;
  chosen.event = event_;
  std::optional<Profile> views[2] = {view_of(before, Format::kFlat, chosen), view_of(after, Format::kFlat, chosen)};
  const Profile* sides[2] = {views[0] ? &*views[0] : &before, views[1] ? &*views[1] : &after};
  both_ = Union(*sides[0], *sides[1]).take();
  values_.assign(both_.value_types.begin(),
                 both_.value_types.begin() + static_cast<ptrdiff_t>(both_.value_types.size() / 2));
  lens_ = options.write.lens == Lens::kSamples ? 0 : values_.size() - 1;
  for (size_t side : {0, 1}) {
    about_[side] = sides[side]->metadata;
    quality_[side] = sides[side]->quality;
  }
  tree_ = call_tree(both_, options.write);
  counts_samples_ = values_[0].type == "samples";
  if (counts_samples_) know_variances();
  weigh();
}

// Samples come by chance, each for itself: n of them that weigh w together have a variance of n (w / n)^2.
void Difference::know_variances() {
  constexpr double kMost = 9e18;
  for (size_t side : {0, 1}) {
    const std::vector<int64_t>& counts = tree_.self[column(side, 0)];
    for (size_t value = 0; value < values_.size(); ++value) {
      const std::vector<int64_t>& weights = tree_.self[column(side, value)];
      std::vector<int64_t>& variances = tree_.variance[column(side, value)];
      variances.resize(tree_.size());
      for (size_t node = 0; node < tree_.size(); ++node) {
        auto weight = static_cast<double>(weights[node]);
        auto count = static_cast<double>(std::max<int64_t>(counts[node], 1));
        variances[node] = std::llround(std::min(weight * weight / count, kMost));
      }
    }
  }
}

void Difference::weigh() {
  for (size_t side : {0, 1}) {
    totals_[side] = tree_.total(column(side, lens_));
    if (totals_[side] == 0) throw FormatError(formatted("the profile {} has no stack with any weight", kSides[side]));
    const std::vector<int64_t>& variances = tree_.variance[column(side, lens_)];
    bounds_[side] = ShareBounds(tree_, column(side, lens_));
    double variance = std::accumulate(variances.begin(), variances.end(), 0.0);
    double unit = variance / static_cast<double>(totals_[side]);
    units_[side] = unit * unit;
  }
}

Change Difference::change_of(const Measured& measured) const {
  Change change;
  double* amounts[2] = {&change.before, &change.after};
  double variance = 0;
  for (size_t side : {0, 1}) {
    // One sample more than there is: without, what was never met would be sure to be nothing.
    double own = measured.variances[side] + units_[side];
    auto value = static_cast<double>(measured.values[side]);
    if (scale_ == Scale::kAmounts) {
      *amounts[side] = value;
      variance += own;
    } else {
      *amounts[side] = value / static_cast<double>(totals_[side]);
      double half = bounds_[side].half_width(measured.values[side], own) / kDeviationsOf95Percent;
      variance += half * half;
    }
  }
  if (bounds_known()) change.bound = kDeviationsOf95Percent * std::sqrt(variance);
  return change;
}

std::vector<MethodChange> Difference::methods() const {
  std::vector<MethodChange> methods;
  std::unordered_map<std::string, size_t> places;
  for (size_t side : {0, 1}) {
    for (MethodWeight& weight : method_weights(tree_, column(side, lens_), annotate_)) {
      auto [place, is_new] = places.try_emplace(weight.name, methods.size());
      if (is_new) methods.push_back({std::move(weight.name), {}, {}, {}, {}});
      MethodChange& method = methods[place->second];
      method.self.values[side] = weight.self;
      method.self.variances[side] = weight.self_variance;
      method.total.values[side] = weight.total;
      method.total.variances[side] = weight.total_variance;
    }
  }
  for (MethodChange& method : methods) {
    method.self_change = change_of(method.self);
    method.total_change = change_of(method.total);
  }
  std::sort(methods.begin(), methods.end(), changed_more);
  return methods;
}

}  // namespace hearth::profile
